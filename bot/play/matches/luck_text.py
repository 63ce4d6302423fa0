"""What players read and type about the throws of a match: how they are sealed, and their own words."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from bot.core.i18n.mentions import mention
from bot.core.interactions.components import Component, text_input
from engine import registry
from engine.luck import MAX_WORD, fingerprint, word_of
from engine.phrase import Phrase, glued, lines, say


def throws(number: str, seed: bytes, words: Iterable[tuple[int, str]] = ()) -> Iterator[Phrase]:
    """Yield what throws will be made of, for anyone to note down.

    Args:
        number: what goes in with the seed.
        seed: the seed, of which only the fingerprint is shown.
        words: the players' words, by user id; empty ones are left out.

    """
    added = [glued(mention(user_id), f" `{word}`") for user_id, word in words if word]
    if added:
        yield glued("-# ", say("Words for the throws: {words}", words=lines(added, " · ")))
    sealed = say(
        # Translators: sealed before anyone accepts; number is like "#12", fingerprint like "8f3a…".
        "Fair throws, sealed: {number} · {fingerprint}",
        number=number,
        fingerprint=fingerprint(seed),
    )
    yield glued("-# ", sealed)


def word_in(slug: str, typed: str) -> str:
    """Return a typed word as it enters the draws; empty in games without luck."""
    return word_of(typed) if registry.game(slug).has_luck else ""


def form_title(*, accepts: bool) -> Phrase:
    """Return the title of the form for a word, which may also accept a challenge."""
    return say("Accept with a word") if accepts else say("Your word for the throws")


def word_field(word: str) -> Component:
    """Return the field for a player's word, with the present one."""
    return text_input(
        "word",
        say("Your word"),
        description=say("It goes into every throw. Everyone can see it."),
        value=word,
        max_length=MAX_WORD,
        required=False,
    )
