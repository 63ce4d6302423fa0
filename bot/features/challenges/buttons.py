"""The message of a challenge with its buttons, and the button that asks for a rematch."""

from __future__ import annotations

from collections.abc import Coroutine, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, Final, Literal

import discord

from bot.core.computers import is_practice
from bot.core.errors import Refusal
from bot.core.i18n.locales import Locales
from bot.core.i18n.mentions import numbered
from bot.core.interactions.components import Component, rows, text_display
from bot.core.interactions.controls import Button, Form
from bot.core.interactions.dispatch import shows
from bot.core.interactions.layout import Layout, pictured, text_layout
from bot.core.interactions.reply import Reply
from bot.core.permissions import opponents, play
from bot.core.permissions.visibility import readable
from bot.core.posts.kinds import Pings
from bot.core.posts.poster import Poster
from bot.core.requests.sending import FAILED
from bot.core.settings.service import SettingsStore
from bot.features.challenges import text as challenges_text
from bot.features.challenges.service import Challenges
from bot.features.lessons.commands import LessonButton
from bot.play.boards.board_text import BoardPost, below_boards
from bot.play.controls.lookup import visible
from bot.play.delivery.boards import Boards
from bot.play.matches.luck import form_title, word_field
from bot.play.matches.scoring import unrated_reasons
from bot.play.matches.service import Matches
from bot.play.pictures.rendering import BoardStyle, Renderer
from data.challenges.challenges import Challenge, Invitation, State
from data.sql.errors import StoreError
from data.store.store import Store
from engine import registry
from engine.phrase import Phrase, concat, say
from engine.registry import AnyGame

Answer = Literal["accept", "word", "decline", "leave", "withdraw", "more"]

_LABELS: Final[dict[Answer, str]] = {
    "accept": say("Accept"),
    "word": say("Add a word…"),
    "decline": say("Decline"),
    "leave": say("Leave"),
    "withdraw": say("Withdraw"),
    "more": say("More"),
}
_PICTURE: Final = "challenge.png"
_FIRST: Final = 3.0
"""Seconds that the answer to a press, and the match that it begins, wait for a challenge's message."""


class ChallengeButton(Button, prefix="c"):
    """Answers a challenge."""

    challenge_id: int
    answer: Answer

    async def press(self, reply: Reply) -> None:
        """Accept, decline, leave or withdraw; the last acceptance starts the match."""
        challenges = reply.get(Challenges)
        challenge = await _visible(reply, self.challenge_id, joins=self.answer == "accept")
        pressed = reply.interaction.message
        if challenge.message_id is None and pressed is not None and not reply.pressed_is_private:
            await challenges.recover_message(challenge.id, pressed.id)
        match self.answer:
            case "accept":
                changed = await _accept(reply, challenges, challenge)
            case "word":
                challenge = await challenges.check_word(self.challenge_id, reply.user_id)
                await reply.ask(_form(challenge, reply.user_id))
                return
            case "decline":
                changed = await challenges.decline(self.challenge_id, reply.user_id)
            case "leave":
                changed = await challenges.leave(self.challenge_id, reply.user_id)
            case "withdraw":
                changed = await challenges.withdraw(self.challenge_id, reply.user_id)
            case "more":
                await reply.send(_more(challenge, reply.user_id), public=False)
                return
        await reply.get(ChallengeMessages).update(reply, changed)

    def labelled(self, label: str = "") -> Component:
        """Return the button, with its usual label by default."""
        return self.component(
            label or _LABELS[self.answer],
            style="success" if self.answer == "accept" else "secondary",
        )


class WordForm(Form, prefix="word"):
    """Accepts a challenge with a word for its throws, or changes a word after joining."""

    challenge_id: int

    async def submit(self, reply: Reply, typed: Mapping[str, str]) -> None:
        """Add the word; the last acceptance starts the match."""
        challenges, word = reply.get(Challenges), typed.get("word", "")
        challenge = await _visible(reply, self.challenge_id, joins=True)
        if _joined(challenge, reply.user_id):
            changed = await challenges.set_word(challenge.id, reply.user_id, word)
        else:
            changed = await _accept(reply, challenges, challenge, word)
        await reply.get(ChallengeMessages).update(reply, changed)


def invitation(
    reply: Reply, game: AnyGame, options: Mapping[str, str], seat: int | None = None, word: str = ""
) -> Invitation:
    """Return an invitation to play here, without opponents."""
    return Invitation(
        game=game.slug,
        options=options,
        guild_id=reply.home,
        channel_id=reply.place,
        challenger_id=reply.user_id,
        seat=seat,
        word=word,
    )


async def entries(reply: Reply, shown: Sequence[tuple[int, Challenge]]) -> list[Phrase]:
    """Return challenges as list entries, each with the number it is shown with."""
    unrated = await unrated_reasons(reply.get(Store), [one for _, one in shown])
    return [challenges_text.line(one, n, unrated=unrated.get(one.id)) for n, one in shown]


async def _visible(reply: Reply, number: int, *, joins: bool = False) -> Challenge:
    """Return a challenge that this person takes part in, or can see where it is.

    Who ``joins`` is told by `play.require_place` why they can't. Raises ChallengeGone otherwise:
    Discord passes on presses of what it shows, but a press on the page may name any challenge.
    """
    challenge = await reply.get(Challenges).get(number)
    place = challenge.channel_id
    if challenge.of(reply.user_id) is not None or place == reply.channel_id:
        return challenge
    if reply.home != challenge.guild_id or not (joins or place in await readable(reply, [place])):
        raise opponents.challenge_gone()
    return challenge


async def _accept(
    reply: Reply, challenges: Challenges, challenge: Challenge, word: str = ""
) -> Challenge:
    if challenge.state is State.OPEN:
        await play.require_place(reply, challenge)
    kind = reply.channel_kind
    return await challenges.accept(challenge.id, reply.user_id, word, channel_kind=kind)


def _form(challenge: Challenge, user_id: int) -> Component:
    """Return the form for a word; submitting it also accepts, unless the user has joined."""
    mine, joined = challenge.of(user_id), _joined(challenge, user_id)
    word = (mine.word or "") if mine is not None else ""
    return WordForm(challenge.id).modal(form_title(accepts=not joined), word_field(word))


def _joined(challenge: Challenge, user_id: int) -> bool:
    mine = challenge.of(user_id)
    return mine is not None and mine.joined is not None


@shows(lambda refusal: refusal.withdrawable is not None)
async def offer_withdrawal(reply: Reply, refusal: Refusal) -> None:
    """Refuse one challenge too many, with a button that withdraws an old one."""
    assert refusal.withdrawable is not None
    button = ChallengeButton(refusal.withdrawable, "withdraw")
    await reply.send(text_layout(refusal.sentence, button.labelled()), public=False)


def message_buttons(challenge: Challenge) -> list[Component]:
    """Return the buttons on an open challenge's message."""
    buttons = [ChallengeButton(challenge.id, answer).labelled() for answer in _answers(challenge)]
    game = registry.game(challenge.game)
    if game.lessons:
        buttons.append(LessonButton(game.slug, 0).component(say("How to play")))
    return buttons


def _answers(challenge: Challenge) -> Iterator[Answer]:
    """Yield the answers that everyone can press on a challenge."""
    others = challenge.invited[1:]
    yield "accept"
    if any(one.named for one in others):
        yield "decline"
    if challenge.guild_id is not None:
        yield "more"
        return
    # Where only users have installed the bot, it can change a message only when pressed.
    if registry.game(challenge.game).has_luck:
        yield "word"
    if any(one.joined is not None for one in others):
        yield "leave"
    yield "withdraw"


def _more(challenge: Challenge, user_id: int) -> Layout:
    """Return the further actions on an open challenge for one user; raise NotForYou for none."""
    if challenge.state is not State.OPEN:
        raise challenges_text.closed(challenge)
    mine = challenge.of(user_id)
    answers: list[Answer] = []
    if registry.game(challenge.game).has_luck and (mine is not None or challenge.free):
        answers.append("word")
    if user_id == challenge.challenger_id:
        answers.append("withdraw")
    elif _joined(challenge, user_id):
        answers.append("leave")
    if not answers:
        raise challenges_text.not_invited(challenge)
    words = concat("**", registry.title(challenge.game), "**: ", say("what would you like to do?"))
    return text_layout(words, *(ChallengeButton(challenge.id, one).labelled() for one in answers))


@dataclass(eq=False, repr=False)
class ChallengeMessages:
    """Makes, posts and shows the messages of challenges."""

    challenges: Challenges
    store: Store
    locales: Locales
    pings: Pings
    renderer: Renderer
    settings: SettingsStore

    async def message(
        self,
        challenge: Challenge,
        *,
        board: str | None = None,
        thread: int | None = None,
        result: str = "",
    ) -> Layout:
        """Return a challenge's message, with the first board while it is open.

        After acceptance, ``board`` links to its match, ``thread`` is where that is played, and
        ``result`` its result.
        """
        unrated = (await unrated_reasons(self.store, [challenge])).get(challenge.id)
        words = challenges_text.text(
            challenge, board=board, thread=thread, unrated=unrated, result=result
        )
        if challenge.state is not State.OPEN:
            return text_layout(words)
        game = registry.game(challenge.game)
        scene = game.scene(game.initial(challenge.options, challenge.size))
        theme = (await self.settings.server(challenge.guild_id)).theme
        locale = await self.locales.of_guild(challenge.guild_id)
        png = await self.renderer.picture(scene, BoardStyle(theme, locale=locale))
        shown = pictured(_PICTURE, png, scene.alt)
        return Layout(text_display(words), shown, *rows(message_buttons(challenge)))

    async def post(
        self, reply: Reply, challenge: Challenge, *, instead: Phrase | None = None
    ) -> None:
        """Post a new challenge in its channel, as a reply if it was made there.

        Words ``instead`` of the pressed controls come first. If its match has begun, the board follows.
        """

        async def answer() -> None:
            try:
                if instead is not None:
                    await reply.replace(text_layout(instead))
            finally:
                await self._post(reply, challenge)

        # The match is in hand all the while: on its own it would begin its thread with another post.
        await _then_board(reply, challenge, answer())

    async def update(self, reply: Reply, challenge: Challenge) -> None:
        """Show a changed challenge in the pressed message, and in its own.

        If its match has begun, the board follows.
        """
        await _then_board(reply, challenge, self._update(reply, challenge))

    async def say(self, reply: Reply, challenge: Challenge, words: Phrase) -> int | None:
        """Tell a user about a changed challenge, and show it in its own message.

        If its match has begun, the board follows. Returns the message, if known.
        """
        sent: list[int | None] = []

        async def answer() -> None:
            try:
                sent.append(await reply.send(text_layout(words), public=False))
            finally:
                await self.challenges.shown(challenge, in_place=False)

        await _then_board(reply, challenge, answer())
        return sent[0]

    async def _post(self, reply: Reply, challenge: Challenge) -> None:
        if challenge.channel_id != reply.channel_id:
            post = await self.challenges.post(challenge)
            if challenge.match_id is not None:  # its match may get its thread from this message
                await reply.get(Poster).post_first([post], _FIRST)
                challenge = await self.challenges.get(challenge.id)
            await reply.send(text_layout(challenges_text.posted(challenge)), public=False)
            return
        layout = await self.message(challenge)
        pinged = await self.pings.of(unanswered(challenge), by=challenge.challenger_id)
        message_id = await reply.send(layout, public=True, mentions=pinged)
        if message_id is not None:
            await self.challenges.set_message(challenge.id, message_id)

    async def _update(self, reply: Reply, challenge: Challenge) -> None:
        pressed = reply.interaction.message
        elsewhere = pressed is None or pressed.id != challenge.message_id
        layout = await self.message(challenge)
        try:
            try:
                await reply.replace(layout)
            except discord.NotFound:  # deleted meanwhile
                await reply.send(layout, public=False)
        finally:
            if elsewhere:
                await self.challenges.shown(challenge, in_place=False)
        if not elsewhere:
            with suppress(StoreError):  # then it is redrawn later
                await self.challenges.shown(challenge, in_place=True)


async def _then_board(
    reply: Reply, challenge: Challenge, answer: Coroutine[Any, Any, None]
) -> None:
    if challenge.match_id is None:
        await answer
    else:
        await reply.get(Boards).show(challenge.match_id, via=reply, answer=answer)


def unanswered(challenge: Challenge) -> list[int]:
    """Return the invited players who have not answered, to be pinged."""
    return [one.user_id for one in challenge.invited if one.joined is None]


class RematchButton(Button, prefix="again"):
    """Asks the others for a rematch, or accepts one that they have asked for."""

    match_id: int

    async def press(self, reply: Reply) -> None:
        """Post a challenge, or accept another player's and start the match."""
        match = (await visible(reply, self.match_id)).match
        if match.finished and reply.user_id in {player.user_id for player in match.players}:
            require = play.require_games if is_practice(match) else play.require_challenges
            await require(reply, match.parent_id or match.channel_id)
            await play.require_sight(reply, match)
        messages, challenges = reply.get(ChallengeMessages), reply.get(Challenges)
        challenge = await challenges.ask_rematch(
            match, reply.user_id, channel_kind=reply.channel_kind
        )
        if challenge.challenger_id == reply.user_id:
            await messages.post(reply, challenge)
            return
        words = say("Rematch of match #{match} accepted.", match=self.match_id)
        if challenge.match_id is not None:
            words = _rematch(self.match_id, challenge.match_id, None)
        sent = await messages.say(reply, challenge, words)
        link = await reply.get(Matches).link_of(challenge.match_id)
        if sent is None or link is None or challenge.match_id is None:
            return
        # Its board is there by now.
        words = _rematch(self.match_id, challenge.match_id, link)
        with suppress(*FAILED):
            locale = await reply.locale(public=False)
            await reply.edit_sent(sent, text_layout(words), locale)


def _rematch(match_id: int, rematch: int, link: str | None) -> Phrase:
    return say(
        "The rematch of match #{match} is on: match {rematch}.",
        match=match_id,
        rematch=numbered(rematch, link),
    )


def rematch_asked(challenge: Challenge, user_id: int) -> Sequence[Component]:
    """Return what asks one of its players for a rematch, with the answers that they can give."""
    answers: tuple[Answer, ...] = ("decline", "accept")
    if user_id == challenge.challenger_id:
        answers = ("withdraw",)
    elif _joined(challenge, user_id):
        answers = ("leave",)
    buttons = (ChallengeButton(challenge.id, one).labelled() for one in answers)
    return text_layout(challenges_text.asks(challenge), *buttons).parts


@below_boards("ended", order=1)
def rematch_button(post: BoardPost) -> Component:
    """Return the button below the final board of a match."""
    return RematchButton(post.match_id).component(say("Rematch"))
