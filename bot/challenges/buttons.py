"""The message of a challenge, with its buttons: accept, decline, leave, withdraw."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING, Final, Literal

import aiohttp
import discord
import structlog

from bot.challenges import refusals
from bot.challenges import text as challenges_text
from bot.challenges.service import Challenges
from bot.delivery.interaction_transport import home_of, place_of
from bot.delivery.requests import in_time
from bot.guide.buttons import LessonButton
from bot.interactions.components import picture, rows, text_display, text_input
from bot.interactions.controls import Button, Form
from bot.interactions.errors import shows
from bot.interactions.layout import Layout, Upload, text_layout
from bot.interactions.views import NOBODY, View, attachment, only
from bot.permissions import play
from bot.pictures.styles import BoardStyle
from bot.ratings.eligibility import Eligibility
from data.challenges import Invitation, State
from data.errors import StoreError
from engine import registry
from engine.luck import MAX_WORD
from engine.phrase import glued, say

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from bot.delivery.pings import Pings
    from bot.errors import Refusal
    from bot.i18n.locales import Locales
    from bot.interactions.components import Component
    from bot.interactions.reply import Reply
    from bot.pictures.rendering import Renderer
    from bot.settings.service import SettingsStore
    from data.challenges import Challenge
    from engine.phrase import Phrase
    from engine.registry import AnyGame

log: structlog.stdlib.BoundLogger = structlog.get_logger(__name__)

Answer = Literal["accept", "word", "decline", "leave", "withdraw", "more"]

_PICTURE: Final = "challenge.png"
_LABELS: Final[dict[Answer, str]] = {
    "accept": say("Accept"),
    "word": say("Add a word…"),
    "decline": say("Decline"),
    "leave": say("Leave"),
    "withdraw": say("Withdraw"),
    "more": say("More"),
}


class ChallengeButton(Button, prefix="c"):
    """Answers a challenge."""

    challenge_id: int
    answer: Answer

    async def press(self, reply: Reply) -> None:
        """Accept, decline, leave or withdraw; the last acceptance starts the match."""
        challenges = reply.get(Challenges)
        challenge = await challenges.get(self.challenge_id)
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
        challenge = await challenges.get(self.challenge_id)
        if _joined(challenge, reply.user_id):
            changed = await challenges.set_word(challenge.id, reply.user_id, word)
        else:
            changed = await _accept(reply, challenges, challenge, word)
        await reply.get(ChallengeMessages).update(reply, changed)


class ChallengeMessages:
    """Posts challenge messages and keeps them up to date."""

    def __init__(
        self,
        client: discord.Client,
        challenges: Challenges,
        eligibility: Eligibility,
        locales: Locales,
        pings: Pings,
        *,
        renderer: Renderer,
        settings: SettingsStore,
    ) -> None:
        """Post through a client, in each server's theme; ``pings`` decides whom to ping."""
        self._client = client
        self._challenges = challenges
        self._eligibility = eligibility
        self._locales = locales
        self._pings = pings
        self._renderer = renderer
        self._settings = settings

    async def message(
        self, challenge: Challenge, *, thread: int | None = None, result: str = ""
    ) -> tuple[Layout, list[Upload]]:
        """Return a challenge's message, with the first board while it is open.

        After acceptance, ``thread`` is where its match is played, and ``result`` its result.
        """
        unrated = await self._eligibility.reason(challenge)
        words = challenges_text.text(challenge, thread=thread, unrated=unrated, result=result)
        answers = _answers(challenge) if challenge.state is State.OPEN else ()
        buttons = [ChallengeButton(challenge.id, answer).labelled() for answer in answers]
        game = registry.game(challenge.game)
        if game.lessons and challenge.state is State.OPEN:
            buttons.append(LessonButton(game.slug, 0).component(say("How to play")))
        if challenge.state is not State.OPEN:
            return text_layout(words, *buttons), []
        scene = game.scene(game.initial(challenge.options, challenge.places))
        theme = (await self._settings.server(challenge.guild_id)).theme
        locale = await self._locales.of_guild(challenge.guild_id)
        png = await self._renderer.picture(scene, BoardStyle(theme, locale=locale))
        shown = picture(_PICTURE, scene.alt)
        return Layout(text_display(words), shown, *rows(buttons)), [Upload(_PICTURE, png)]

    async def post(self, reply: Reply, challenge: Challenge) -> None:
        """Post a new challenge in its channel, as a reply if it was made there."""
        layout, files = await self.message(challenge)
        pinged = await self._pings.of(_unanswered(challenge), by=challenge.challenger_id)
        if challenge.channel_id == reply.channel_id:
            message_id = await reply.send(layout, files=files, public=True, mentions=pinged)
            if message_id is not None:
                await self._challenges.set_message(challenge.id, message_id)
            return
        # The previous match has a thread of its own, and the next one gets another.
        sent = await self._client.get_partial_messageable(challenge.channel_id).send(
            view=View(layout, await self._locales.of_guild(challenge.guild_id)),
            files=[attachment(file) for file in files],
            nonce=f"c{challenge.id}",
            allowed_mentions=only(pinged),
        )
        await self._challenges.set_message(challenge.id, sent.id)
        await reply.send(text_layout(challenges_text.posted(challenge, sent.id)), public=False)

    async def update(self, reply: Reply, challenge: Challenge) -> None:
        """Show a changed challenge in the pressed message, and in its own."""
        pressed = reply.interaction.message
        elsewhere = pressed is None or pressed.id != challenge.message_id
        layout, files = await self.message(challenge)
        try:
            try:
                await reply.replace(layout, files=files)
            except discord.NotFound:  # deleted meanwhile
                await reply.send(layout, files=files, public=False)
        finally:
            if elsewhere:
                await self.show(challenge)
        if not elsewhere:
            with suppress(StoreError):  # then the scheduler redraws it
                changed = await self._challenges.redrawn(challenge)
                if changed is not None:
                    await self.show(changed)

    async def show(self, challenge: Challenge, *, thread: int | None = None) -> bool:
        """Update a challenge's message; return whether that worked.

        The scheduler retries failures.
        """
        changed: Challenge | None = challenge
        while changed is not None:  # another press may have been drawn before this one
            if changed.message_id is None:
                return True
            # The bot cannot edit old replies where only users have installed it.
            if changed.guild_id is not None and not await self._edit(
                changed, changed.message_id, thread
            ):
                return False
            try:
                changed = await self._challenges.redrawn(changed)
            except StoreError as error:
                log.warning("could not record that a challenge is shown", why=str(error))
                return False
        return True

    async def _edit(self, challenge: Challenge, message_id: int, thread: int | None) -> bool:
        layout, files = await self.message(challenge, thread=thread)
        locale = await self._locales.of_guild(challenge.guild_id)
        channel = self._client.get_partial_messageable(challenge.channel_id)
        try:
            async with in_time():
                await channel.get_partial_message(message_id).edit(
                    view=View(layout, locale),
                    attachments=[attachment(file) for file in files],
                    allowed_mentions=NOBODY,
                )
        except discord.HTTPException as error:
            if error.status >= 500 or error.status == 429:
                log.warning("a challenge could not be shown, trying again", status=error.status)
                return False
            # Deleted, or closed to the bot: presses on it are still answered.
            log.info("a challenge cannot be shown", code=error.code)
        except (aiohttp.ClientError, OSError) as error:
            log.warning("a challenge could not be shown, trying again", why=str(error))
            return False
        return True


def invitation(
    reply: Reply,
    game: AnyGame,
    options: Mapping[str, str],
    seat: int | None = None,
    word: str = "",
) -> Invitation:
    """Return an invitation to play here, without opponents."""
    return Invitation(
        game=game.slug,
        options=options,
        guild_id=home_of(reply.interaction),
        channel_id=reply.channel_id,
        challenger_id=reply.user_id,
        seat=seat,
        word=word,
    )


async def entries(reply: Reply, numbered: Sequence[tuple[int, Challenge]]) -> list[Phrase]:
    """Return challenges as numbered list entries."""
    unrated = await reply.get(Eligibility).reasons(one for _, one in numbered)
    return [challenges_text.line(one, n, unrated=unrated.get(one.id)) for n, one in numbered]


async def _accept(
    reply: Reply, challenges: Challenges, challenge: Challenge, word: str = ""
) -> Challenge:
    if challenge.state is State.OPEN:
        play.require_seen(reply, challenge)
        play.require_posts(reply, challenge.channel_id)
    place = place_of(reply.interaction)
    return await challenges.accept(challenge.id, reply.user_id, word, place=place)


def _form(challenge: Challenge, user_id: int) -> Component:
    """Return the form for a word; submitting it also accepts, unless the user has joined."""
    mine, joined = challenge.of(user_id), _joined(challenge, user_id)
    field = text_input(
        "word",
        say("Your word"),
        description=say("It goes into every throw. Everyone can see it."),
        value=(mine.word or "") if mine is not None else "",
        max_length=MAX_WORD,
        required=False,
    )
    title = say("Your word for the throws") if joined else say("Accept with a word")
    return WordForm(challenge.id).modal(title, field)


def _joined(challenge: Challenge, user_id: int) -> bool:
    mine = challenge.of(user_id)
    return mine is not None and mine.joined is not None


@shows(lambda refusal: refusal.withdrawable is not None)
async def offer_withdrawal(reply: Reply, refusal: Refusal) -> None:
    """Refuse one challenge too many, with a button that withdraws an old one."""
    assert refusal.withdrawable is not None
    button = ChallengeButton(refusal.withdrawable, "withdraw")
    await reply.send(text_layout(refusal.sentence, button.labelled()), public=False)


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
    """Return the further actions on a challenge for one user.

    Raises:
        ChallengeGone: it is no longer open.
        NotForYou: there is nothing for this user.

    """
    if challenge.state is not State.OPEN:
        raise refusals.closed(challenge.state, challenge.match_id)
    mine = challenge.of(user_id)
    answers: list[Answer] = []
    if registry.game(challenge.game).has_luck and (mine is not None or challenge.free):
        answers.append("word")
    if user_id == challenge.challenger_id:
        answers.append("withdraw")
    elif _joined(challenge, user_id):
        answers.append("leave")
    if not answers:
        raise refusals.not_invited(challenge)
    words = glued(
        "**", registry.game(challenge.game).title, "**: ", say("what would you like to do?")
    )
    return text_layout(words, *(ChallengeButton(challenge.id, one).labelled() for one in answers))


def _unanswered(challenge: Challenge) -> list[int]:
    """Return the invited players who have not answered, to be pinged."""
    return [one.user_id for one in challenge.invited if one.joined is None]
