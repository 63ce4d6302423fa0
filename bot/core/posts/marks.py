"""Numbers that find posted messages again, a range for each kind of message.

The ranges must not overlap, as several kinds are searched for in the same channels. A component of
the message has the number in its id (`bot.core.interactions.layout.FIRST_MARK`), which has 32 bits.
"""

from __future__ import annotations

from typing import Final

THREADS: Final = range(-900_000_000, 0)
"""Messages that a thread is made from."""
OUTBOX: Final = range(500_000_000)
"""Messages from the outbox, numbered by `data.matches.outbox`."""
POSTS: Final = range(750_000_000, 1_100_000_000)
"""Messages from `bot.core.posts`."""
ALL: Final = (THREADS, OUTBOX, POSTS)
