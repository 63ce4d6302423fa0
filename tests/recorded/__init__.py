"""What earlier versions left behind: custom IDs and databases.

Messages with old buttons stay in Discord for years, and databases outlive every version. All
later versions must understand them, so what a tagged release has recorded here is never changed or
removed; each release adds to it (`python -m tests.recorded.record`). For the version being prepared,
custom IDs and databases are simply recorded again. 0.2.0a1 is a database from before 0.2.0.
"""

from pathlib import Path

CONTROLS = [
    line.split(" ", 1)
    for line in (Path(__file__).parent / "controls.txt").read_text(encoding="utf-8").splitlines()
]
"""The custom IDs of all controls, each with what it says."""
