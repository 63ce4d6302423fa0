"""Text about conditional moves."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from bot.core.i18n.mentions import mention, mention_all
from bot.features.conditional_moves.service import MAX_DEPTH, MAX_MOVES, Planning
from bot.play.matches.moves import Walk
from bot.play.matches.positions import MatchView
from data.matches.conditional_moves import ConditionalMove
from engine.phrase import Phrase, glued, lines, say

_NEXT = " → "


def title(view: MatchView) -> Phrase:
    """Return the heading of these messages."""
    return say("### Plan ahead · match #{number}", number=view.match.id)


def overview(planning: Planning, note: str = "") -> Phrase:
    """Return a player's conditional moves, or how they work if there are none."""
    parts = [title(planning.view), *([note] if note else [])]
    if not planning.moves:
        return lines((*parts, say("Nothing is planned."), explanation()))
    numbered = [f"{n}. {line(planning, one)}" for n, one in enumerate(planning.moves, 1)]
    return lines((*parts, *numbered, explanation()))


def explanation() -> Phrase:
    """Return how conditional moves work, in small print."""
    return say(
        "-# If they play these moves, I play your bold answer at once. If not, I ask you as usual. "
        "Only you see this. Up to {most} answers, {depth} in a row.",
        most=MAX_MOVES,
        depth=MAX_DEPTH,
    )


def line(planning: Planning, one: ConditionalMove) -> str:
    """Return a move with those leading to it, the player's own in bold."""
    walk = planning.after(one.id)
    return marked(one.line, {*planning.own(walk), len(one.path)})


def plain(notations: Sequence[str]) -> str:
    """Return moves in a row."""
    return _NEXT.join(notations)


def marked(notations: Sequence[str], own: Collection[int]) -> str:
    """Return moves in a row, some in bold."""
    return _NEXT.join(f"**{one}**" if n in own else one for n, one in enumerate(notations))


def question(planning: Planning, walk: Walk) -> Phrase:
    """Return the question for the next choice."""
    parts: list[str] = [title(planning.view)]
    if walk.played:
        parts.append(say("If {moves} …", moves=marked(walk.line, planning.own(walk))))
    if walk.chosen:
        parts.append(walk.game.steps_label(walk.state, walk.chosen).question)
    elif walk.actor == planning.player.seat:
        parts.append(say("Your answer?"))
    else:
        parts.append(
            say(
                "What might {player} play?",
                player=mention(planning.view.player_at(walk.actor).user_id),
            )
        )
    if not walk.played:
        parts.append(explanation())
    return lines(parts)


def kept(planning: Planning, line_: Sequence[str]) -> Phrase:
    """Return the confirmation that a move is saved."""
    walk = planning.after(0).continued(line_)
    return say("Planned: {moves}", moves=marked(line_, planning.own(walk)))


def shown(planning: Planning, one: ConditionalMove) -> Phrase:
    """Return the text beside the position after a move."""
    return lines((title(planning.view), line(planning, one)))


def was_played(
    view: MatchView,
    user_id: int,
    played: Sequence[str],
    own: Collection[int],
    *,
    link: str | None,
    left: int,
) -> Phrase:
    """Return the direct message telling a player which moves were played since they last looked.

    ``own`` has the indices of theirs, ``left`` is how many are still planned.
    """
    others = mention_all(p.user_id for p in view.match.players if p.user_id != user_id)
    head = say(
        "Your planned answer was played in match #{number} ({game} against {others}).",
        number=view.match.id,
        game=view.game.title,
        others=others,
    )
    waits = [say("Still planned: {n}", n=left)] if left else []
    place = [say("[board]({link})", link=link)] if link else []
    rest = [glued("-# ", lines((*waits, *place), " · "))] if waits or place else []
    return lines((head, marked(played, own), *rest))
