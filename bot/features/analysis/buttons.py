"""``/match analysis``: the analysis of a finished match as chart, text, and links into the replay."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import replace
from typing import Annotated, Final

from bot.core.errors import Refusal
from bot.core.interactions.commands import Option, command
from bot.core.interactions.components import Component, rows, text_display
from bot.core.interactions.controls import Button
from bot.core.interactions.layout import Attached, Layout, pictured
from bot.core.interactions.progress import ProgressMessage, bar
from bot.core.interactions.reply import Reply
from bot.core.permissions.members import Members
from bot.features.analysis import report as words
from bot.features.analysis.report import AnalysisReport
from bot.features.analysis.service import Analyses
from bot.features.replays import buttons as replay_buttons
from bot.play.boards.board_text import BoardPost, below_boards
from bot.play.controls.link_views import link_offer
from bot.play.controls.lookup import NUMBER, chosen_name, suggest_ended
from bot.play.controls.share_buttons import (
    require_shareable,
    share_button,
    shared_style,
    shares,
)
from bot.play.pictures.rendering import (
    BoardStyle,
    Renderer,
    player_names,
    private_style,
    style_for,
)
from bot.play.replays.replay import Replay, Replays, is_record
from engine.phrase import concat, lines, say
from render import charts, drawable
from render.fonts import fitted
from render.names import Names

_NAME: Final = (0.5, 3.0)
"""The size and room of a name in a chart."""


class AnalysisButton(Button, prefix="y"):
    """Shows the analysis of a match."""

    name: str

    async def press(self, reply: Reply) -> None:
        """Show it, to this user alone."""
        await show(reply, self.name)


class MistakeButton(Button, prefix="mistake"):
    """Shows a mistake next to the better move."""

    name: str
    ply: int

    async def press(self, reply: Reply) -> None:
        """Show both boards, to this user alone."""
        await reply.send(await _compared(reply, self.name, self.ply), public=False)


class NextMistakeButton(Button, prefix="mistake-next"):
    """Moves on to another mistake."""

    name: str
    ply: int

    async def press(self, reply: Reply) -> None:
        """Replace the boards shown."""
        await reply.replace(await _compared(reply, self.name, self.ply))


@below_boards("ended", order=2)
def analysis_button(post: BoardPost) -> Component | None:
    """Return the button below the final board of a match with a result."""
    if not post.judged:
        return None
    return AnalysisButton(str(post.match_id)).component(say("Analysis"))


async def show(reply: Reply, name: str) -> None:
    """Show the analysis once computed; that of a record to its owner alone."""
    replay = await replay_buttons.found(reply, name)
    public = False if replay.imported else None
    analyses = reply.get(Analyses)
    shown = ProgressMessage(
        reply, lambda: bar(say("Analysing …"), analyses.progress(replay.name)), public=public
    )
    report = await shown.wait(analyses.of(replay, reply.requester))
    if report is None:
        return
    style = await private_style(reply, replay.position.match.guild_id, public=public)
    share: list[Component] = []
    if not replay.imported:
        share += [] if reply.public else share_button(reply, "analysis", replay.number)
        share += link_offer("analysis", replay.number)
    await shown.finish(await _layout(reply, replay, report, style, share))


@shares("analysis")
async def _shared(reply: Reply, number: int, _: int) -> Layout:
    replay = await replay_buttons.found(reply, str(number))
    await require_shareable(reply, replay.position)
    report = await reply.get(Analyses).of(replay, reply.requester)
    return await _layout(reply, replay, report, await shared_style(reply, replay.position))


async def _layout(
    reply: Reply,
    replay: Replay,
    report: AnalysisReport,
    style: BoardStyle,
    share: Sequence[Component] = (),
) -> Layout:
    names = player_names(reply.get(Members), replay.position, style.locale)
    png = await reply.get(Renderer).chart(chart_of(replay, report, names), style)
    alt = lines(words.alt(replay, report), " ")
    parts: list[Component | Attached] = [
        text_display(replay.heading()),
        pictured(f"analysis-{replay.name}.png", png, alt),
        text_display(lines(words.full_text(replay, report))),
    ]
    if replay.imported and report.thrown:
        luck = await reply.get(Replays).luck(replay.number)
        parts += [] if luck is None else [text_display(concat("-# ", luck))]
    buttons: list[Component] = [
        MistakeButton(replay.name, mistake.ply).component(say("See {number}", number=number))
        for number, mistake in enumerate(report.mistakes, 1)
    ]
    buttons.append(replay_buttons.ReplayButton(replay.name).component(say("Replay")))
    return Layout(*parts, *rows([*buttons, *share]))


@shares("mistake")
async def _shared_mistake(reply: Reply, number: int, ply: int) -> Layout:
    replay = await replay_buttons.found(reply, str(number))
    await require_shareable(reply, replay.position)
    return await _compared(reply, str(number), ply, shared=True)


async def _compared(reply: Reply, name: str, ply: int, *, shared: bool = False) -> Layout:
    """Return a mistake and the better move, on two boards; raise Refusal for an unknown one."""
    replay = await replay_buttons.found(reply, name)
    report = await reply.get(Analyses).of(replay, reply.requester)
    plies = [mistake.ply for mistake in report.mistakes]
    if ply not in plies:
        raise Refusal(say("That mistake is no longer in the analysis. Open the analysis again."))
    place = plies.index(ply)
    mistake = report.mistakes[place]
    one, other = words.boards(replay, mistake)
    style = await style_for(reply, replay.position, say("Analysis"))
    if shared:
        style = replace(await shared_style(reply, replay.position), draft=style.draft)
    png = await reply.get(Renderer).pair(one, other, style)
    buttons: list[Component] = [replay_buttons.ReplayAtButton(name, ply).component(say("Replay"))]
    if not (shared or replay.imported):
        buttons += share_button(reply, "mistake", replay.number, ply)
    if len(plies) > 1 and not shared:
        following = plies[(place + 1) % len(plies)]
        buttons.insert(0, NextMistakeButton(name, following).component(say("Next mistake")))
    return Layout(
        text_display(replay.heading()),
        pictured(f"mistake-{name}-{ply}.png", png, one.alt),
        text_display(
            lines(
                (
                    words.title_of(replay, place + 1, mistake),
                    await asyncio.to_thread(
                        words.in_words, replay.game, replay.entry(ply).before, mistake
                    ),
                )
            )
        ),
        *rows(buttons),
    )


def chart_of(replay: Replay, report: AnalysisReport, names: Names = ()) -> charts.Equity:
    """Return the chart of an analysis; beside the sides it names their players, as far as known."""
    known = {seat: drawable(name) for seat, name in names}
    sides = []
    for place, player in enumerate(replay.position.match.players):
        name, side = known.get(player.seat, ""), words.side(replay, place)
        sides.append(concat(side, " · ", fitted(name, *_NAME)) if name else side)
    mistakes = (
        charts.Mistake(n, replay.move(one.ply), one.place)
        for n, one in enumerate(report.mistakes, 1)
    )
    values = tuple(tuple(report.values[ply]) for ply in (0, *replay.turn_ends))
    return charts.Equity(tuple(sides), values, tuple(mistakes))


@command(
    "match analysis",
    say("Show what decided a finished game, and the better moves"),
    public=lambda given: given["number"] is None or not is_record(given["number"]),
)
async def analysis(
    reply: Reply, number: Annotated[str | None, Option(NUMBER, suggest=suggest_ended)] = None
) -> None:
    """Show the analysis of a match, or of a record to its owner."""
    await show(reply, await chosen_name(reply, number, over=True))
