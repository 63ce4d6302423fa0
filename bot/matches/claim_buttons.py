"""What is said about time beside the boards, and the buttons below it."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, Literal, TypeAlias, cast

import discord
from discord import ui

from bot.delivery.notices import Notice, announces
from bot.i18n.mentions import all_of, timestamp, who
from bot.i18n.slash import slash
from bot.interactions import layouts
from bot.interactions.buttons import Pressed
from bot.matches import results
from engine.phrase import lines, say

if TYPE_CHECKING:
    import re
    from collections.abc import Mapping

    from bot.client import Bot
    from bot.interactions.reply import Reply
    from bot.matches.positions import MatchView

What: TypeAlias = Literal["win", "abort", "mute"]

_LABELS = {
    "win": say("Claim the win"),
    "abort": say("Abort the match"),
    "mute": say("No more reminders for this turn"),
}
_STYLES = {
    "win": discord.ButtonStyle.success,
    "abort": discord.ButtonStyle.secondary,
    "mute": discord.ButtonStyle.secondary,
}


class TimeButton(
    Pressed,
    ui.DynamicItem[ui.Button[Any]],
    template=r"w:(?P<match>\d+):(?P<ply>\d+):(?P<what>win|abort|mute)",
):
    """Claims or aborts a match whose player to move is late, or silences its reminders."""

    def __init__(self, match_id: int, ply: int, what: What) -> None:
        """Address one decision about one turn of one match."""
        super().__init__(
            ui.Button(
                label=_LABELS[what], style=_STYLES[what], custom_id=f"w:{match_id}:{ply}:{what}"
            )
        )
        self.match_id, self.ply, self.what = match_id, ply, what

    @classmethod
    async def from_custom_id(
        cls, _: discord.Interaction[Any], __: ui.Item[Any], match: re.Match[str]
    ) -> TimeButton:
        """Rebuild a button from its address."""
        return cls(int(match["match"]), int(match["ply"]), cast("What", match["what"]))

    async def press(self, answer: Reply, client: Bot) -> None:
        """Do what it says."""
        user = answer.interaction.user.id
        if self.what == "mute":
            await client.claims.mute(self.match_id, user, self.ply)
            await answer.tell(muted(self.match_id), public=False)
            return
        turn = await client.claims.claim(self.match_id, user, self.ply, self.what)
        try:
            await answer.replace(claimed(turn.after, user))
        finally:
            client.table.deliver(answer, self.match_id, turn.after)


def muted(match_id: int) -> layouts.Message:
    """Return the answer to who wants no more reminders in a turn."""
    return layouts.text(
        say("No more reminders for this turn of match {match}.", match=f"#{match_id}")
    )


def claimed(view: MatchView, user_id: int) -> layouts.Message:
    """Return what takes the place of the offer to claim, once somebody has."""
    line = say(
        "{player} decided match {match}, whose time was over.",
        player=who(user_id),
        match=f"#{view.match.id}",
    )
    return layouts.text(lines([line, results.result(view)]))


def offer(view: MatchView, *, void: bool) -> layouts.Message:
    """Return the choice of the others while the player to move is late.

    Args:
        view: the match.
        void: whether it had hardly begun, so that there is nothing to win.

    """
    late = view.to_move
    assert late is not None
    others = [p.user_id for p in view.match.players if p.user_id != late.user_id]
    number = view.match.id
    if void:
        said = say(
            "{others}: in match {match} the time of {late} for this move is over. You can wait, "
            "as the move may still come, or abort the match: as somebody had not made two moves "
            "yet, nothing is counted.",
            others=all_of(others),
            late=who(late.user_id),
            match=f"#{number}",
        )
        return layouts.text(said, TimeButton(number, view.version, "abort"))
    said = say(
        "{others}: in match {match} the time of {late} for this move is over. You can claim the "
        "win, abort the match so that nothing is counted, or just wait: until then the move may "
        "still come.",
        others=all_of(others),
        late=who(late.user_id),
        match=f"#{number}",
    )
    if len(others) > 1:
        said = lines(
            [
                said,
                say(
                    "A win ends the match for everybody: {late} is last, and the others share the "
                    "first place, which counts as drawn.",
                    late=who(late.user_id),
                ),
            ]
        )
    return layouts.text(said, *(TimeButton(number, view.version, what) for what in _CLAIMS))


_CLAIMS: tuple[What, ...] = ("win", "abort")


@announces("lapsed")
def _lapsed(view: MatchView, payload: Mapping[str, Any]) -> Notice:
    return Notice(offer(view, void=bool(payload["void"])), tuple(payload["call"]))


@announces("reminder")
def _reminder(view: MatchView, payload: Mapping[str, Any]) -> Notice:
    mover, clock = view.to_move, view.match.clock
    assert mover is not None
    due = None if clock is None else clock.due_at
    values: dict[str, Any] = {"player": who(mover.user_id), "match": f"#{view.match.id}"}
    if due is None:
        said = say("{player}, match {match} waits for your move.", **values)
    elif payload.get("grace"):
        said = say(
            "{player}, I was away for a while, so there is more time for your move in match "
            "{match}: until {moment} ({distance}).",
            moment=timestamp(due),
            distance=timestamp(due, "R"),
            **values,
        )
    else:
        said = say(
            "{player}, match {match} waits for your move. The time for it ends {distance}, "
            "{moment}.",
            moment=timestamp(due),
            distance=timestamp(due, "R"),
            **values,
        )
    button = TimeButton(view.match.id, view.version, "mute")
    return Notice(layouts.text(said, button), tuple(payload["call"]))


@announces("turn")
def _turn(view: MatchView, payload: Mapping[str, Any]) -> Notice:
    said = say(
        "{player}, it is your turn in match {match}.",
        player=who(payload["user"]),
        match=f"#{view.match.id}",
    )
    return Notice(layouts.text(said), (payload["user"],))


@announces("forfeited")
def _forfeited(view: MatchView, payload: Mapping[str, Any]) -> Notice:
    said = say(
        "The time of {late} in match {match} is over.",
        late=who(payload["late"]),
        match=f"#{view.match.id}",
    )
    return Notice(layouts.text(lines([said, results.result(view)])), tuple(payload["call"]))


@announces("returning")
def _returning(_: MatchView, payload: Mapping[str, Any]) -> Notice:
    until = datetime.fromtimestamp(payload["until"], UTC)
    said = say(
        "{player}, your vacation ends {distance}, {moment}. Then your clocks go on, each with at "
        "least a day. {back} ends it earlier.",
        back=slash("me", "back"),
        player=who(payload["user"]),
        moment=timestamp(until),
        distance=timestamp(until, "R"),
    )
    return Notice(layouts.text(said), (payload["user"],))
