"""Tokens that stop calls: each stops its own call and what belongs to it, nothing else."""

from __future__ import annotations

import pickle
import signal
import threading
from concurrent.futures import ThreadPoolExecutor

import pytest

from gafreecell.solving import stopping
from gafreecell.solving.stopping import Interrupted, StopToken, graceful, interruptible


def test_a_token() -> None:
    token = StopToken()
    token.run(stopping.check)
    token.set()
    token.set()
    with pytest.raises(Interrupted):
        token.run(stopping.check)
    # Its work is over.
    stopping.check()
    assert token.run(max, 3, 4) == 4


def test_a_call_that_was_stopped_leaves_no_trace_in_other_threads() -> None:
    with pytest.raises(KeyboardInterrupt), interruptible():
        signal.raise_signal(signal.SIGINT)

    def work() -> bool:
        stopping.check()
        with interruptible() as call:
            call.run(stopping.check)
        return True

    with ThreadPoolExecutor(1) as pool:
        assert pool.submit(work).result()
    stopping.check()


def test_calls_side_by_side_do_not_stop_each_other() -> None:
    started, stopped = threading.Barrier(2), threading.Event()

    def stopped_one() -> None:
        with interruptible() as call:
            started.wait(10)
            call.set()
            with pytest.raises(Interrupted):
                call.run(stopping.check)
            stopped.set()

    def other() -> bool:
        with interruptible() as call:
            started.wait(10)
            assert stopped.wait(10)
            call.run(stopping.check)
        return True

    with ThreadPoolExecutor(2) as pool:
        first, second = pool.submit(stopped_one), pool.submit(other)
        first.result()
        assert second.result()


def test_a_call_within_the_work_of_another_is_stopped_with_it() -> None:
    def inner() -> None:
        with interruptible() as call:
            call.run(stopping.check)
            outer.set()
            call.run(stopping.check)

    with interruptible() as outer, pytest.raises(Interrupted):
        outer.run(inner)


def test_a_token_stays_with_its_call_while_a_generator_waits() -> None:
    """A caller that consumes a generator may begin other calls in between."""

    def calls() -> object:
        with interruptible() as call:
            call.set()
            yield call
            with pytest.raises(Interrupted):
                call.run(stopping.check)

    for _ in calls():  # type: ignore[attr-defined]
        stopping.check()
        with interruptible() as call:
            call.run(stopping.check)


def test_a_token_that_was_pickled_is_the_same_in_its_own_process() -> None:
    """Workers of dask may be threads, which get their work pickled."""
    token = StopToken()
    token.set()
    sent = pickle.dumps(token)
    assert pickle.loads(sent) is token
    del token
    # Another process has no such token, nor has this one any more.
    assert not pickle.loads(sent).is_set()


def test_a_token_in_another_process_is_set_by_its_name() -> None:
    sent = pickle.dumps(StopToken())
    # As the token is gone, this process now stands for another one.
    there = pickle.loads(sent)
    assert not there.is_set()
    stopping.stop(there.name)
    assert there.is_set() and pickle.loads(sent) is there
    stopping.stop("unknown")


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP, signal.SIGINT])
def test_being_ended_is_like_ctrl_c_and_only_once(number: signal.Signals) -> None:
    before = signal.getsignal(number)
    with graceful() as came:
        with pytest.raises(KeyboardInterrupt, match=number.name), interruptible() as call:
            signal.raise_signal(number)
        assert call.is_set()
        # Those that come while the work is saved change nothing, as of a key that is held down.
        signal.raise_signal(signal.SIGHUP)
        signal.raise_signal(signal.SIGINT)
        with graceful() as inner:
            signal.raise_signal(signal.SIGTERM)
    assert (came, inner) == ([number], [])
    assert signal.getsignal(number) is before


def test_signals_that_are_ignored_or_handled_stay_so() -> None:
    heard: list[int] = []
    signal.signal(signal.SIGHUP, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, lambda number, frame: heard.append(number))
    try:
        with graceful() as came, interruptible() as call:
            signal.raise_signal(signal.SIGHUP)
            assert not call.is_set()
            signal.raise_signal(signal.SIGTERM)
        assert (came, heard) == ([], [signal.SIGTERM])
    finally:
        signal.signal(signal.SIGHUP, signal.SIG_DFL)
        signal.signal(signal.SIGTERM, signal.SIG_DFL)


def test_in_another_thread_it_leaves_signals_alone() -> None:
    handlers = []

    def work() -> None:
        with interruptible():
            handlers.append(signal.getsignal(signal.SIGINT))

    thread = threading.Thread(target=work)
    thread.start()
    thread.join()
    assert handlers == [signal.getsignal(signal.SIGINT)]
