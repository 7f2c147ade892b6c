"""Verdicts of ``belay bench`` for loops that make candidates: reinforcement learning, search.

One process judges for as long as a :class:`Judge` lives, so a verdict costs what judging costs
and not the start of a program. Candidates are sealed and in the sandbox, as always.
"""
from __future__ import annotations

import atexit
import collections
import concurrent.futures
import json
import os
import subprocess
import threading
from dataclasses import dataclass, field
from typing import Any, Dict, Iterable, List, Optional, Tuple

from belay_npu import _home
from belay_npu._errors import BelayFailed

__all__ = ["Judge", "Result", "evaluate", "evaluate_many"]

_MOST_LINE = 64 << 20


@dataclass(frozen=True)
class Result:
    """What became of a candidate; docs/bench.md has the members of the record."""

    task: str
    key: str
    verdict: str
    score: float
    compiled: bool
    correct: bool
    safe: bool
    record: Dict[str, Any] = field(repr=False)


class Judge:
    """A process that judges candidates. May be used by several threads; a context manager.

    Args:
      store: The file with results and the secret of the hidden cases; equal sources are judged
        once.
      queue: A database instead, ``postgres://...``.
      soc: The target.
      jobs: Candidates that are judged at once; one per CPU unless told.
      schedules: Orders of the pipes that a candidate has to hold in.
      tasks: Where tasks are, instead of those that come with Belay.
    """

    def __init__(self, *, store: str = "bench.db", queue: Optional[str] = None, soc: str = "Ascend910B3",
                 jobs: Optional[int] = None, schedules: int = 1, tasks: Optional[str] = None) -> None:
        words = [str(_home.find("bin/belay")), "bench", "judge", "--soc", soc, "--schedules", str(schedules)]
        words += ["--queue", queue] if queue is not None else ["--store", os.fspath(store)]
        words += [] if jobs is None else ["--jobs", str(jobs)]
        words += [] if tasks is None else ["--task-folder", os.fspath(tasks)]
        self._lock, self._writing = threading.Lock(), threading.Lock()
        self._waiting: Dict[int, "concurrent.futures.Future[Result]"] = {}
        self._next = 0
        self._said: "collections.deque[bytes]" = collections.deque(maxlen=50)
        self._process = subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        self._threads = [threading.Thread(target=each, daemon=True) for each in (self._listen, self._read)]
        for each in self._threads:
            each.start()

    def submit(self, task: str, source: str) -> "concurrent.futures.Future[Result]":
        """The verdict of a candidate, as a future."""
        future: "concurrent.futures.Future[Result]" = concurrent.futures.Future()
        future.set_running_or_notify_cancel()
        with self._lock:
            self._next += 1
            number = self._next
            self._waiting[number] = future
        line = json.dumps({"id": number, "task": task, "source": source}) + "\n"
        assert self._process.stdin is not None
        try:
            # Not with the other lock: whoever waits here waits for answers to be read.
            with self._writing:
                self._process.stdin.write(line.encode())
                self._process.stdin.flush()
        except (OSError, ValueError):
            with self._lock:
                unanswered = self._waiting.pop(number, None)
            if unanswered is not None:
                unanswered.set_exception(self._failure())
        return future

    def evaluate(self, task: str, source: str, timeout: Optional[float] = None) -> Result:
        """The verdict of a candidate.

        Raises:
          ValueError: There is no such task, or the source is too large.
          BelayFailed: Belay ended.
        """
        return self.submit(task, source).result(timeout)

    def evaluate_many(self, candidates: Iterable[Tuple[str, str]], timeout: Optional[float] = None) -> List[Result]:
        """The verdicts of pairs of a task and a source, in their order."""
        return [future.result(timeout) for future in [self.submit(*each) for each in candidates]]

    def close(self) -> None:
        """Waits for what has been submitted, and ends the process."""
        with self._writing:
            if self._process.stdin is not None and not self._process.stdin.closed:
                try:
                    self._process.stdin.close()
                except OSError:
                    pass
        self._process.wait()
        for each in self._threads:
            each.join()

    def __enter__(self) -> "Judge":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _failure(self) -> BelayFailed:
        self._threads[0].join(10)  # what it said last
        text = b"".join(self._said).decode("utf-8", "replace").strip()
        return BelayFailed("belay bench judge ended" + (f": {text}" if text else ""))

    def _listen(self) -> None:
        assert self._process.stderr is not None
        with self._process.stderr as lines:
            for line in lines:
                self._said.append(line[:2000])

    def _read(self) -> None:
        assert self._process.stdout is not None
        with self._process.stdout as lines:
            while line := lines.readline(_MOST_LINE):
                answer = json.loads(line)
                with self._lock:
                    future = self._waiting.pop(answer.get("id"), None)
                if future is None:
                    continue
                if "error" in answer:
                    future.set_exception(ValueError(answer["error"]))
                    continue
                record = answer["result"]
                future.set_result(Result(record["task"], answer["key"], record["verdict"], record["score"],
                                         record["compiled"], record["correct"], record["safe"], record))
        self._process.wait()
        with self._lock:
            left, self._waiting = list(self._waiting.values()), {}
        for future in left:
            future.set_exception(self._failure())


_default: Optional[Judge] = None
_default_lock = threading.Lock()


def _shared() -> Judge:
    global _default
    with _default_lock:
        if _default is None:
            _default = Judge()
            atexit.register(_default.close)
        return _default


def evaluate(task: str, source: str) -> Result:
    """The verdict of a candidate, by a :class:`Judge` that all callers share (bench.db)."""
    return _shared().evaluate(task, source)


def evaluate_many(candidates: Iterable[Tuple[str, str]]) -> List[Result]:
    """The verdicts of pairs of a task and a source, in their order."""
    return _shared().evaluate_many(candidates)
