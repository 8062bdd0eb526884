"""Ctrl-C while kernels run or are compiled."""

from __future__ import annotations

import signal
import threading
import time
from contextlib import suppress

import pytest
from llvmlite import binding
from numba.core import event

from gafreecell.solving import stopping
from gafreecell.solving.outcome import Evaluator, Limits, Search
from gafreecell.solving.stopping import Interrupted, interruptible
from hsd import solver


def solve_for_long() -> object:
    """A search that goes astray: it prefers states far from the goal, for half a minute."""
    return solver.run(
        1,
        Evaluator(("NumCardsNotAtFoundations", "DifferenceFromTop"), (-1.0, -0.37)),
        Search("staged", {"depth": 4, "automatic": "none"}),
        Limits(nodes=50_000_000, memory=4_000_000_000),
    )


@pytest.fixture(scope="module", autouse=True)
def _kernels_loaded() -> None:
    solver.SOLVER.instance("staged")


def test_a_token_ends_a_long_solve() -> None:
    with interruptible() as call:
        timer = threading.Timer(0.3, call.set)
        timer.start()
        start = time.perf_counter()
        with pytest.raises(Interrupted):
            call.run(solve_for_long)
        assert 0.25 < time.perf_counter() - start < 1.5
        timer.join()
        with pytest.raises(Interrupted):
            call.run(solve_for_long)
    # Another call is another's.
    assert solver.solve(1).moves is not None


def test_ctrl_c_ends_the_solves_of_its_call_in_other_threads() -> None:
    ended = []

    def work() -> None:
        try:
            call.run(solve_for_long)
        except Interrupted:
            ended.append(time.perf_counter())

    thread = threading.Thread(target=work, daemon=True)
    handler = signal.getsignal(signal.SIGINT)
    with pytest.raises(KeyboardInterrupt), interruptible() as call:
        thread.start()
        time.sleep(0.3)
        pressed = time.perf_counter()
        signal.raise_signal(signal.SIGINT)
    thread.join(3)
    assert ended and ended[0] - pressed < 1.5
    assert signal.getsignal(signal.SIGINT) is handler


def test_ctrl_c_is_not_lost_in_the_compiler(capfd: pytest.CaptureFixture[str]) -> None:
    """LLVM reports each object it has made to a callback, which cannot raise exceptions."""
    machine = binding.Target.from_default_triple().create_target_machine()
    engine = binding.create_mcjit_compiler(
        binding.parse_assembly("define i32 @one() { ret i32 1 }"), machine
    )
    called = []

    def made(module: object, code: bytes) -> None:
        called.append(code)
        signal.raise_signal(signal.SIGINT)

    engine.set_object_cache(made, lambda module: None)
    with pytest.raises(KeyboardInterrupt), interruptible(), event.trigger_event("numba:run_pass"):
        engine.finalize_object()
        assert called
    assert capfd.readouterr().err == ""


def test_ctrl_c_that_a_callback_loses_ends_the_next_slice() -> None:
    with pytest.raises(KeyboardInterrupt), interruptible() as call:
        with suppress(KeyboardInterrupt):
            signal.raise_signal(signal.SIGINT)
        call.run(stopping.check)
    # Nobody pressed anything here.
    with pytest.raises(Interrupted), interruptible() as call:
        call.set()
        call.run(stopping.check)


def test_outside_a_call_the_compiler_is_not_watched() -> None:
    listeners = event._registered["numba:run_pass"]
    before = list(listeners)
    with interruptible():
        assert len(listeners) == len(before) + 1
    assert listeners == before
