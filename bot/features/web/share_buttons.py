"""*Share a link*: what it shows to whom, the link itself, and how to end links."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import datetime
from typing import Final

from bot.core.computers import is_person
from bot.core.errors import Refusal, picked
from bot.core.i18n.mentions import mention, slash, timestamp
from bot.core.interactions import components
from bot.core.interactions.components import Component, action_row, link_button, rows, text_display
from bot.core.interactions.controls import Button, Menu
from bot.core.interactions.layout import Layout, text_layout
from bot.core.interactions.reply import Reply
from bot.core.settings.service import SettingsStore
from bot.features.settings.commands import BackToSettingsButton, beside_my_settings
from bot.features.web.server import WebServer
from bot.features.web.share_routes import ShareRoutes
from bot.features.web.shares import ShareLinks
from bot.play.controls.link_views import KINDS, Wanted, offers_link
from data.people import share_links
from data.people.share_links import Kind, ShareLink
from data.sql.transaction import Transaction
from engine.phrase import Phrase, concat, lines, plural, say

_MAX_LISTED: Final = 25
_SHOWN: Final = 5


class LinkButton(Button, prefix="link"):
    """Asks whether to make a link to something."""

    kind: Kind
    number: int
    ply: int | None

    async def press(self, reply: Reply) -> None:
        """Say what the link would show, and which links there are."""
        wanted = await _wanted(reply, self.kind, self.number)
        links = await reply.get(ShareLinks).in_hand(reply.user_id, self.kind, self.number)
        words = lines(
            [
                concat("### ", wanted.title),
                *_about(self.kind, wanted),
                await _names(reply, self.kind, wanted),
                say("-# Everyone who's in it can end the link."),
                *_known(links),
            ]
        )
        make = MakeLinkButton(self.kind, self.number, self.ply)
        buttons = [make.component(say("Make a link"), style="success")]
        if links:
            buttons.append(_end(self.kind, self.number, len(links)))
        await reply.send(text_layout(words, *buttons), public=False)


class MakeLinkButton(Button, prefix="link-make"):
    """Makes a link to something."""

    kind: Kind
    number: int
    ply: int | None

    async def press(self, reply: Reply) -> None:
        """Show the link to this person alone, if they may still share that."""
        wanted = await _wanted(reply, self.kind, self.number)
        likes = await reply.get(SettingsStore).player(reply.user_id)
        locale = likes.language or reply.interaction.locale.value
        secret, made = await reply.get(ShareLinks).make(
            *(reply.user_id, self.kind, self.number, self.ply, locale), people=wanted.people
        )
        address = str(reply.get(ShareRoutes).address_of(secret))
        words = lines(
            [
                concat("### ", wanted.title),
                address,
                say(
                    "-# Copy it now: I only show it once. {settings} lists your links.",
                    settings=slash("me", "settings"),
                ),
            ]
        )
        buttons = [
            link_button(address, say("Open the link")),
            EndLinksButton(self.kind, self.number, made).component(
                say("End this link"), style="danger"
            ),
        ]
        await reply.replace(text_layout(words, *buttons))


class EndLinksButton(Button, prefix="link-end"):
    """Ends all links to something that the presser may end, or one that they have made."""

    for_blocked = True
    kind: Kind
    number: int
    link: int | None

    async def press(self, reply: Reply) -> None:
        """End them."""
        links = reply.get(ShareLinks)
        if self.link is None:
            ended = await links.end(reply.user_id, self.kind, self.number)
        else:
            ended = await links.end_one(reply.user_id, self.link)
        await reply.replace(text_layout(_ended(ended)))


class MyLinksButton(Button, prefix="links"):
    """Lists the links that the presser has made."""

    for_blocked = True

    async def press(self, reply: Reply) -> None:
        """Show the list, to this person alone."""
        await reply.show_privately(await _list(reply))


class EndLinkMenu(Menu, prefix="link-pick"):
    """Ends a link that its maker picks."""

    for_blocked = True

    async def choose(self, reply: Reply, values: Sequence[str]) -> None:
        """End it, and show the others."""
        await reply.get(ShareLinks).end_one(reply.user_id, picked(values[0]))
        await reply.replace(await _list(reply))


async def _wanted(reply: Reply, kind: Kind, number: int) -> Wanted:
    """Return what is to be shared; raise Refusal if there is no page, or they may not share it."""
    if reply.get(WebServer).url is None:
        raise Refusal(say("The board in the browser is off here, so there are no links."))
    return await KINDS[kind][0](reply, number)


def _about(kind: Kind, wanted: Wanted) -> Iterator[Phrase]:
    yield {
        "match": say("Anyone with the link can step through this game, without Discord."),
        "analysis": say(
            "Anyone with the link can see this game and its analysis, without Discord."
        ),
        "tournament": say("Anyone with the link can see this table, without Discord."),
    }[kind]
    if wanted.private:
        yield say("Without the link, only some people can see that.")


async def _names(reply: Reply, kind: Kind, wanted: Wanted) -> Phrase:
    settings = reply.get(SettingsStore)
    people = filter(is_person, wanted.people)
    hidden = [one for one in people if not (await settings.player(one)).profile]
    if kind == "tournament":
        return say("It shows names as on this server, but not those of private profiles.")
    if not wanted.on_server:
        return say("It shows no names.")
    if hidden:
        return say(
            "It shows no names, as {players} keeps their profile private.",
            players=mention(hidden[0]),
        )
    return say(
        "It shows the players' names as on their server, as long as their profiles are public."
    )


def _known(links: Sequence[ShareLink]) -> Iterator[Phrase]:
    if links:
        yield plural("{n} link leads here so far:", "{n} links lead here so far:", len(links))
    for one in links[:_SHOWN]:
        yield say(
            "- by {player}, {day}", player=mention(one.user_id), day=timestamp(one.since, "D")
        )


def _end(kind: Kind, number: int, count: int) -> Component:
    label = say("End this link") if count == 1 else say("End these links")
    return EndLinksButton(kind, number, None).component(label, style="danger")


def _ended(count: int) -> Phrase:
    if not count:
        return say("There's no link left to end.")
    return plural(
        "{n} link ended. It shows nothing any more.",
        "{n} links ended. They show nothing any more.",
        count,
    )


async def _list(reply: Reply) -> Layout:
    links = await reply.get(ShareLinks).of_user(reply.user_id)
    back = BackToSettingsButton().component(say("Back"))
    if not links:
        return text_layout(say("You have no links."), back)
    shown = links[:_MAX_LISTED]
    words = [say("### Your links"), *(_line(number, one) for number, one in enumerate(shown, 1))]
    if len(links) > len(shown):
        words.append(say("-# End some of these to see older ones."))
    options = [
        components.option(concat(f"{number}. ", _title(one)), str(one.id))
        for number, one in enumerate(shown, 1)
    ]
    menu = EndLinkMenu().component(options, placeholder=say("End a link"))
    return Layout(text_display(lines(words)), action_row(menu), *rows([back]))


def _line(number: int, link: ShareLink) -> Phrase:
    # Translators: what a link leads to, such as "match #12", and since when.
    words = say("{title}, since {day}", title=_title(link), day=timestamp(link.since, "D"))
    return concat(f"{number}. ", words)


def _title(link: ShareLink) -> Phrase:
    if link.kind == "tournament":
        return say("tournament #{number}", number=link.subject)
    if link.kind == "analysis":
        return say("analysis of match #{number}", number=link.subject)
    return say("match #{number}", number=link.subject)


@beside_my_settings(order=20)
async def _listed(tx: Transaction, user_id: int, _: datetime) -> Component | None:
    number = len(await share_links.of_user(tx, user_id))
    if not number:
        return None
    return MyLinksButton().component(plural("{n} shared link", "{n} shared links", number))


@offers_link(order=10)
def _offer(kind: Kind, subject: int, ply: int | None) -> Component | None:
    if not WebServer.offered:
        return None
    return LinkButton(kind, subject, ply).component(say("Share a link"))
