"""What a link to an analysis shows: the stored report, with the game. Readers have none computed."""

from __future__ import annotations

from dataclasses import replace

from svcs import Container

from bot.core.errors import NotAllowed
from bot.core.interactions.reply import Reply
from bot.features.analysis import report as words
from bot.features.analysis.buttons import chart_of
from bot.features.analysis.service import Analyses
from bot.play.controls import link_views
from bot.play.controls.link_views import Linked, Names, Wanted, check_match, shown_match
from bot.play.pictures.chart_text import Chart
from bot.play.replays.replay import Replays
from data.people.share_links import ShareLink
from engine.phrase import Phrase, lines, say


async def check(reply: Reply, number: int) -> Wanted:
    """Return an analysis that this person may share by a link; raises Refusal otherwise."""
    wanted = await check_match(reply, number)
    replay = await reply.get(Replays).of_match(number)
    await reply.get(Analyses).of(replay, reply.requester)
    return replace(wanted, title=say("Analysis: {game}", game=wanted.title))


async def shown(services: Container, link: ShareLink) -> Linked:
    """Return what a link shows: the game alone while a position of it is in play."""
    match = await shown_match(services, link)
    replay = match.replay
    assert replay is not None, "it is a match"
    try:
        report = await services.get(Analyses).stored(replay)
    except NotAllowed as error:
        return replace(match, words=lines((match.words, error.sentence)))
    if report is None:
        return match

    def title(players: str) -> Phrase:
        # Translators: the title of a page; game is like "Tablut · Ann – Ben".
        return say("Analysis: {game}", game=match.title(players))

    def chart(names: Names) -> Chart:
        known = ((one.seat, names.get(one.user_id, "")) for one in replay.position.match.players)
        return chart_of(replay, report, tuple((seat, name) for seat, name in known if name))

    return replace(
        match,
        title=title,
        words=lines((match.words, *words.full_text(replay, report))),
        chart=chart,
        chart_alt=lambda _: lines(words.alt(replay, report), " "),
    )


link_views.register("analysis", check, shown)
