"""What is being loaded, and compiled."""

from __future__ import annotations

from gafreecell.solving.loading import (
    Compilation,
    Part,
    compilation,
    compiling,
    loaded,
    loading,
    stopping,
)

SEARCH = Part("FreeCell's search beam", 6.0)


def test_a_part_is_compiled_until_it_is_loaded() -> None:
    with loading(SEARCH):
        assert compilation() is None
        assert compiling() == loaded() == SEARCH
        first = compilation()
        assert first is not None and first.part == SEARCH
        compiling()
        assert compilation() == first
    assert compilation() is None


def test_nobody_knows_when_an_unnamed_part_is_ready() -> None:
    assert compiling() == loaded()
    assert compilation() is None


def test_what_bars_tell() -> None:
    one = Compilation(SEARCH, began=100.0)
    assert one.told(102.0) == "compiling FreeCell's search beam: 4 s left"
    late = "still compiling; this machine is slower than most"
    assert one.told(105.9) == one.told(200.0) == late
    assert one.told(200.0, brief=True) == "still compiling"
    assert Compilation(Part("mine"), began=0.0).told(1.0) == "compiling mine"
    assert one.told(102.0, brief=True) == "compiling: 4 s left"


def test_bars_reply_to_ctrl_c_until_the_compiler_has_stopped() -> None:
    with loading(SEARCH):
        compiling()
        one = compilation()
        stopping()
        assert one is not None
        assert one.told(one.began) == "compiling FreeCell's search beam: stopping"
        assert one.told(one.began, brief=True) == "compiling: stopping"
    assert one.told(one.began).endswith(": 6 s left")
