"""Functions compiled to machine code by numba, and the types of their arguments.

``@kernel`` compiles a function on first call and keeps the machine code on disk, in a folder named
by a digest of all sources beside the function and, for a game, of the engine's rules of that game:
so machine code never outlives its sources. A kernel may therefore call kernels of its own folder
and use constants of these two, but nothing of other folders. The search receives what it needs of a
game as first-class functions with the types below.

Kernels release Python's lock while they run.
"""

from __future__ import annotations

import hashlib
import os
import stat
import sys
import tempfile
import threading
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import cache
from pathlib import Path
from typing import Any, Final, TypeAlias, TypeVar, cast

import numba
from numba import int64, types, uint64, void
from numba.core import config
from numpy.typing import NDArray

import engine.games

F = TypeVar("F", bound="Callable[..., Any]")

# Kernels mix the numbers of numpy and Python freely, as machine code does, so elements are Any.
Board: TypeAlias = NDArray[Any]
"""A position as a row of numbers: int32, C-contiguous."""
Boards: TypeAlias = NDArray[Any]
"""A board in each row."""
Ints: TypeAlias = NDArray[Any]
"""64-bit integers."""
Words: TypeAlias = NDArray[Any]
"""64-bit unsigned integers."""
Floats: TypeAlias = NDArray[Any]
"""float64."""
Weights: TypeAlias = NDArray[Any]
"""float32."""

BOARD: Final = types.Array(types.int32, 1, "C")
BOARDS: Final = types.Array(types.int32, 2, "C")
INTS: Final = types.Array(types.int64, 1, "C")
INTS_2: Final = types.Array(types.int64, 2, "C")
WORDS: Final = types.Array(types.uint64, 1, "C")
FLOATS: Final = types.Array(types.float64, 1, "C")
FLOATS_2: Final = types.Array(types.float64, 2, "C")
WEIGHTS: Final = types.Array(types.float32, 1, "C")

_COMPILING: Final = threading.Lock()
"""Keeps other threads from compiling; games that load at once share the search's kernels."""
_OTHERS_WRITE: Final = stat.S_IWGRP | stat.S_IWOTH

SIGNATURES: Final = {
    "actor": int64(BOARD),
    "moves": int64(BOARD, INTS),
    "play": void(BOARD, int64, BOARD),
    "throw": void(BOARD, int64, BOARD),
    "result": void(BOARD, FLOATS),
    "evaluate": void(BOARD, WEIGHTS, FLOATS),
    "key": uint64(BOARD),
    "loud": int64(BOARD, int64),
}
"""The types of the functions of a game, see `ai.position.Kernels`."""

warnings.filterwarnings("ignore", category=numba.NumbaExperimentalFeatureWarning)
GAME: Final = types.Tuple([types.FunctionType(found) for found in SIGNATURES.values()])  # type: ignore[no-untyped-call]
"""The type of all functions of a game together."""


def kernel(function: F) -> F:
    """Compile a function on first call; see this module."""
    config.CACHE_DIR = str(_folder(Path(function.__code__.co_filename).parent))  # type: ignore[attr-defined]  # made at run time
    return cast("F", numba.njit(cache=True, nogil=True)(function))


def settle(function: Callable[..., Any], signature: Any) -> None:
    """Compile a kernel for one signature, or load it, and fix it to that signature."""
    dispatcher = cast("Any", function)
    if signature.args not in dispatcher.overloads:
        with (
            _COMPILING,
            _compile_lock(_folder(Path(dispatcher.py_func.__code__.co_filename).parent)),
        ):
            if signature.args not in dispatcher.overloads:  # another thread may have been first
                dispatcher.compile(signature)
            dispatcher.disable_compile()


def not_compiled() -> list[str]:
    """Return the folders whose kernels have no machine code for their current sources."""
    here = Path(__file__).parent
    folders = (here / "search", *sorted((here / "games").iterdir()))
    return [
        folder.name
        for folder in folders
        if any("@kernel" in source.read_text(encoding="utf-8") for source in folder.glob("*.py"))
        if not has_machine_code(folder)
    ]


def has_machine_code(folder: Path) -> bool:
    """Return whether a folder's kernels are compiled and only need loading."""
    return any(_folder(folder).rglob("*.nbi"))


@contextmanager
def _compile_lock(folder: Path) -> Iterator[None]:
    """Keep other processes from compiling into a folder; they then load the compiled code.

    The lock is the operating system's: it ends with the process that holds it.
    """
    if sys.platform == "win32":
        yield  # compiling at the same time is only wasted work
        return
    import fcntl  # noqa: PLC0415 -- not on Windows

    with (folder / "lock").open("ab") as file:
        with suppress(OSError):  # some network file systems have no locks
            fcntl.flock(file, fcntl.LOCK_EX)
        yield


@cache
def _folder(sources: Path) -> Path:
    """Return the writable folder for the machine code of a folder's kernels."""
    digest = hashlib.sha256(numba.__version__.encode())
    rules = Path(engine.games.__file__).parent / sources.name
    for source in (*sorted(sources.glob("*.py")), *sorted(rules.glob("*.py"))):
        digest.update(source.read_bytes())
    name = f"{sources.name}-{digest.hexdigest()[:16]}"
    chosen = os.environ.get("NUMBA_CACHE_DIR")
    beside = Path(chosen) if chosen else sources / "__pycache__"
    for root in (beside, Path.home() / ".cache" / "old-board-games"):
        with suppress(OSError):
            # Path.mkdir(parents=True) would leave the folders above to the umask.
            for folder in (*reversed(root.parents), root, root / name):
                folder.mkdir(mode=0o700, exist_ok=True)
            if os.access(root / name, os.W_OK) and _is_private(root / name):
                return root / name
    return Path(tempfile.mkdtemp(prefix="old-board-games-"))


def _is_private(folder: Path) -> bool:
    """Return whether no other user can have put anything into a folder, or can replace it.

    Machine code is run without further checks.
    """
    if sys.platform == "win32":
        return True  # folders are the user's own there
    ours, above = folder.lstat(), folder.parent.stat()
    sticky = above.st_mode & stat.S_ISVTX
    return (
        stat.S_ISDIR(ours.st_mode)
        and ours.st_uid == os.getuid()
        and above.st_uid in {0, os.getuid()}
        and not ours.st_mode & _OTHERS_WRITE
        and not (above.st_mode & _OTHERS_WRITE and not sticky)
    )
