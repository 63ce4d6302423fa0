"""The analysis of a match after its end: the chart, the words, and ways into the replay."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bot.analysis import text as words
from bot.analysis.service import Analyses
from bot.interactions.components import picture, rows, text_display
from bot.interactions.controls import Button
from bot.interactions.layout import Layout, Upload
from bot.matches.board_actions import below_boards
from bot.pictures import styles
from bot.pictures.rendering import Renderer
from bot.replays import buttons as replay_buttons
from bot.replays.import_export import ImportExport
from bot.settings.service import SettingsStore
from engine.phrase import glued, say
from render import charts

if TYPE_CHECKING:
    from bot.analysis.report import AnalysisReport
    from bot.interactions.components import Component
    from bot.interactions.reply import Reply
    from bot.matches.board_text import BoardPost
    from bot.replays.service import Replay


class AnalysisButton(Button, prefix="y"):
    """Shows what could have been played better in a match."""

    name: str

    async def press(self, reply: Reply) -> None:
        """Show the analysis, to this person alone."""
        await show(reply, self.name)


class MistakeButton(Button, prefix="mistake"):
    """Opens the replay of a match where a mistake was made, and tells what was better."""

    name: str
    ply: int

    async def press(self, reply: Reply) -> None:
        """Show that place, to this person alone."""
        replay = await replay_buttons.found(reply, self.name)
        note = words.mistake_at(replay, await _report(reply, replay), self.ply)
        await replay_buttons.show(reply, replay, self.ply, new=True, note=note)


@below_boards("ended", order=2)
def analysis_button(post: BoardPost) -> Component | None:
    """Return the button below the last board of a match that has a result."""
    if not post.judged:
        return None
    return AnalysisButton(str(post.match_id)).component(say("Analysis"))


async def show(reply: Reply, name: str) -> None:
    """Show the analysis of a match once it is known, or of a record to its owner alone."""
    replay = await replay_buttons.found(reply, name)
    report = await _report(reply, replay)
    public = False if replay.imported else None
    locale = await reply.locale(public=public)
    style = await styles.for_player(reply.get(SettingsStore), replay.view, reply.user_id, locale)
    png = await reply.get(Renderer).chart(_chart(replay, report), style)
    filename = f"analysis-{replay.name}.png"
    parts = [
        text_display(replay.heading()),
        picture(filename, words.alt(replay, report)),
        text_display(words.told(replay, report)),
    ]
    if replay.imported and report.thrown:
        luck = await reply.get(ImportExport).luck(replay.number)
        parts += [] if luck is None else [text_display(glued("-# ", luck))]
    buttons = [
        MistakeButton(replay.name, mistake.ply).component(say("See {number}", number=number))
        for number, mistake in enumerate(report.mistakes, 1)
    ]
    await reply.tell(Layout(*parts, *rows(buttons)), files=[Upload(filename, png)], public=public)


async def _report(reply: Reply, replay: Replay) -> AnalysisReport:
    """Return the analysis of a match, or of a record to its owner."""
    if replay.imported:
        return await reply.get(Analyses).of_record(replay, reply.user_id)
    return await reply.get(Analyses).of_match(replay.view, reply.requester)


def _chart(replay: Replay, report: AnalysisReport) -> charts.Equity:
    names = tuple(words.side(replay, place) for place in range(len(replay.view.match.players)))
    mistakes = (charts.Mistake(n, one.ply, one.place) for n, one in enumerate(report.mistakes, 1))
    values = tuple(tuple(at) for at in report.values)
    return charts.Equity(names, values, tuple(mistakes))
