"""Machine code is compiled once, and cached only where no other user can write."""

from __future__ import annotations

import os
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numba
import pytest
from numba import int64

from ai import kernels

pytestmark = pytest.mark.skipif(not hasattr(os, "getuid"), reason="folders have no owners here")


@pytest.fixture
def chosen(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The configured folder; the user's own is elsewhere."""
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path / "chosen"))
    monkeypatch.setattr(Path, "home", lambda: tmp_path / "home")
    return tmp_path / "chosen"


def folder() -> Path:
    """Return the cache folder for the search kernels, as a new process would choose it."""
    return kernels._folder.__wrapped__(Path(kernels.__file__).parent / "search")


def mode(path: Path) -> int:
    """Return a folder's permissions."""
    return path.stat().st_mode & 0o777


def test_a_new_folder_is_private(chosen: Path) -> None:
    found = folder()
    assert found.parent == chosen
    assert mode(found) == 0o700
    assert folder() == found


def test_the_folders_above_a_new_one_are_private_too_whatever_the_umask(
    monkeypatch: pytest.MonkeyPatch, chosen: Path
) -> None:
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(chosen / "a" / "b"))
    before = os.umask(0)
    try:
        found = folder()
    finally:
        os.umask(before)
    assert [mode(one) for one in (chosen, chosen / "a", chosen / "a" / "b", found)] == [0o700] * 4


@pytest.mark.parametrize("open_to", [0o770, 0o707, 0o777])
def test_a_folder_that_others_can_write_to_is_not_used(chosen: Path, open_to: int) -> None:
    found = folder()
    found.chmod(open_to)
    instead = folder()
    assert instead.parent == Path.home() / ".cache" / "old-board-games"
    assert mode(instead) == 0o700


def test_a_folder_whose_parent_others_can_write_to_is_not_used(chosen: Path) -> None:
    folder()
    chosen.chmod(0o777)
    assert folder().parent != chosen
    chosen.chmod(0o1777)  # like /tmp: no user can delete another's files
    assert folder().parent == chosen


def test_a_symbolic_link_is_not_used(chosen: Path, tmp_path: Path) -> None:
    found = folder()
    found.rename(tmp_path / "elsewhere")
    found.symlink_to(tmp_path / "elsewhere")
    assert folder().parent != chosen


def test_a_folder_with_another_owner_is_not_used(
    chosen: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder()
    monkeypatch.setattr(os, "getuid", lambda: 54321)
    instead = folder()
    assert not instead.is_relative_to(chosen.parent)
    assert mode(instead) == 0o700
    instead.rmdir()


def test_two_threads_that_need_a_kernel_at_once_both_get_it(chosen: Path) -> None:
    kernel = numba.njit(lambda number: number + 1)
    with ThreadPoolExecutor(2) as threads:
        with kernels._compile_lock(kernels._folder(Path(__file__).parent)):
            settling = [threads.submit(kernels.settle, kernel, int64(int64)) for _ in range(2)]
            time.sleep(0.2)  # both have found it uncompiled
        for one in settling:
            one.result()
    assert kernel(1) == 2
    assert any(chosen.iterdir())
