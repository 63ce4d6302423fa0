"""What earlier versions left behind: custom IDs and databases.

Messages with old buttons stay in Discord for years, and databases outlive every version. All
later versions must understand them, so from the first tagged release on nothing here is changed or
removed; each release adds to it (`python -m tests.recorded.record`). Until then a changed custom ID
or table is simply recorded again.
"""

from pathlib import Path

CONTROLS = [
    line.split(" ", 1)
    for line in (Path(__file__).parent / "controls.txt").read_text(encoding="utf-8").splitlines()
]
"""The custom IDs of all controls, each with what it says."""
