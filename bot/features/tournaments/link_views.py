"""What a link to a tournament shows: its table or bracket, and the standings as they are."""

from __future__ import annotations

from typing import Final

from svcs import Container

from bot.core.errors import NotAllowed
from bot.core.interactions.layout import Page
from bot.core.interactions.reply import Reply
from bot.core.permissions.visibility import known_channel, may_read
from bot.features.tournaments import round_text
from bot.features.tournaments.chart_views import table_or_bracket
from bot.features.tournaments.layout_views import state_line
from bot.features.tournaments.lookup_commands import visible
from bot.features.tournaments.round_text import SHOWN
from bot.features.tournaments.rules.standings import Standing
from bot.features.tournaments.service import Tournaments
from bot.features.tournaments.view import TournamentView, no_such_tournament
from bot.play.controls import link_views
from bot.play.controls.link_views import Linked, Names, Wanted
from bot.play.pictures import chart_text
from bot.play.pictures.chart_text import Chart
from data.people.share_links import ShareLink
from data.store.store import Store
from data.tournaments import tournaments
from engine.phrase import Phrase, concat, lines, plural, say

_PLACES: Final = 25
"""Places told in words."""


async def check(reply: Reply, number: int) -> Wanted:
    """Return a tournament whose table this person may share by a link; raises Refusal otherwise.

    Who is not in it shares only what everyone on the server can see.
    """
    view = await visible(reply, number)
    if not view.rounds:
        raise NotAllowed(say("No round is paired yet."))
    channel, guild = known_channel(reply, view.tournament.channel_id), reply.interaction.guild
    private = (
        guild is not None and channel is not None and not may_read(channel, guild.default_role)
    )
    if private and reply.user_id not in (*_people(view), view.tournament.created_by):
        raise NotAllowed(
            say(
                "Not everyone on the server can see that tournament, so only its players can share it."
            )
        )
    return Wanted(concat(view.tournament.name), _people(view), private)


async def shown(services: Container, link: ShareLink) -> Linked:
    """Return what a link shows now; raise Refusal if the tournament is gone."""
    async with services.get(Store).read() as tx:
        found = await tournaments.get(tx, link.subject)
    if found is None:
        raise no_such_tournament()
    service = services.get(Tournaments)
    view = await service.get(found.id, found.guild_id)
    standings = await service.ranked(view)

    def chart(names: Names) -> Chart | None:
        page = Page.of(0, total=len(standings), size=SHOWN)
        return table_or_bracket(view, standings, page=page, names=names)

    def alt(names: Names) -> str:
        drawn = table_or_bracket(
            view, standings, page=Page.of(0, total=len(standings), size=SHOWN), names=names
        )
        return "" if drawn is None else chart_text.alt(drawn)

    return Linked(
        lambda _: lines([view.game.title, view.tournament.name], " · "),
        lines(_words(view, standings)),
        found.guild_id,
        _people(view),
        together=False,
        chart=chart,
        chart_alt=alt,
        version=found.version,
    )


def _people(view: TournamentView) -> tuple[int, ...]:
    return tuple(one.user_id for one in view.entrants)


def _words(view: TournamentView, standings: tuple[Standing, ...]) -> list[Phrase | str]:
    words: list[Phrase | str] = [state_line(view)]
    if not any(not (one.bye or one.open) for one in view.pairings):
        return [*words, say("No results yet.")]
    words += round_text.standing_lines(view, standings, standings[:_PLACES])
    if (rest := len(standings) - _PLACES) > 0:
        words.append(plural("{n} more", "{n} more", rest))
    words += round_text.explained(standings)
    if table := round_text.cross_table(view, standings):
        words.append(table)
    return words


link_views.register("tournament", check, shown)
