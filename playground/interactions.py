"""Interactions: what people ask of the bot, and the one answer that each may have.

::

    WAITING --(callback within 3 s)--> ANSWERED --(15 min)--> the token is worth nothing
       |
       +--(3 s pass)--> FAILED: the person reads that the application did not respond

All times are those of the world's clock. Channel permissions do not bind answers: an application
may always attach files and embed links in them (discord-api-docs#5316); what it may do in the
channel by itself stands in ``app_permissions``.
"""

from __future__ import annotations

import asyncio
import secrets
from collections import deque
from typing import TYPE_CHECKING, Any, Final

from playground import payloads
from playground.errors import ApiError, InteractionFailed
from playground.events import InteractionClosed, InteractionCreated
from playground.interaction import (
    Interaction,
    InteractionState,
    InteractionType,
    ResponseType,
    context_of,
    user_install_only,
)
from playground.limits.message import FILE_BYTES, check_choices, check_modal
from playground.model import MessageFlag
from playground.permissions import DIRECT, Permission, permissions_in

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from playground.errors import JSON
    from playground.limits.problems import Problems
    from playground.messages import Messages
    from playground.model import Channel, Message, User
    from playground.uploads import Upload
    from playground.world import World

ANSWER_SECONDS: Final = 3.0
TOKEN_SECONDS: Final = 900.0
MOST_FOLLOW_UPS: Final = 5
"""Where the application is there through a person's installation only."""


_FITTING: Final[dict[InteractionType, frozenset[ResponseType]]] = {
    InteractionType.COMMAND: frozenset(
        {ResponseType.MESSAGE, ResponseType.DEFERRED_MESSAGE, ResponseType.MODAL}
    ),
    InteractionType.COMPONENT: frozenset(set(ResponseType) - {ResponseType.CHOICES}),
    InteractionType.AUTOCOMPLETE: frozenset({ResponseType.CHOICES}),
    InteractionType.MODAL: frozenset(
        set(ResponseType) - {ResponseType.CHOICES, ResponseType.MODAL}
    ),
}


class Interactions:
    """Makes interactions, takes the bot's answers, and lets them grow old."""

    def __init__(self, world: World, messages: Messages) -> None:
        self._world = world
        self._messages = messages
        self._by_token: dict[str, Interaction] = {}
        self._in_order: deque[Interaction] = deque()

    def make(
        self,
        kind: InteractionType,
        user: User,
        channel: Channel,
        data: JSON,
        *,
        message: Message | None = None,
        shown: Sequence[JSON] | None = None,
        trigger: Interaction | None = None,
    ) -> Interaction:
        """Let a person ask something of the bot, and tell the bot."""
        world = self._world
        now = world.clock.time()
        self._forget_old(now)
        interaction = Interaction(
            world.ids.next(),
            secrets.token_urlsafe(48),
            kind,
            user,
            channel,
            data,
            now,
            asyncio.get_running_loop().create_future(),
            message=message,
            shown=shown,
            trigger=trigger,
        )
        self._by_token[interaction.token] = interaction
        self._in_order.append(interaction)
        interaction.timer = world.clock.call_later(ANSWER_SECONDS, lambda: self._fail(interaction))
        world.emit(InteractionCreated(interaction))
        return interaction

    def _forget_old(self, now: float) -> None:
        while self._in_order and self._in_order[0].made_at < now - 2 * TOKEN_SECONDS:
            self._by_token.pop(self._in_order.popleft().token, None)

    def _fail(self, interaction: Interaction) -> None:
        if interaction.state is not InteractionState.WAITING:
            return
        interaction.state = InteractionState.FAILED
        if not interaction.answered.done():
            interaction.answered.set_exception(
                InteractionFailed("The application did not respond within three seconds.")
            )
            # Nobody may be waiting any more: then nobody needs to be told.
            interaction.answered.exception()
        self._world.emit(InteractionClosed(interaction))

    # The bot's side

    def waiting(self, interaction_id: int, token: str) -> Interaction:
        """Find an interaction that may still be answered.

        Raises:
            ApiError: 10062 when it is unknown or too old, 40060 when it has been answered.
        """
        interaction = self._by_token.get(token)
        if (
            interaction is None
            or interaction.id != interaction_id
            or interaction.state is InteractionState.FAILED
        ):
            raise ApiError(10062)
        if interaction.state is InteractionState.ANSWERED:
            raise ApiError(40060)
        return interaction

    def by_token(self, token: str) -> Interaction:
        """Find an interaction whose token is still good for messages.

        Raises:
            ApiError: 50027 after fifteen minutes, 10015 for an unknown or unanswered one.
        """
        interaction = self._by_token.get(token)
        if interaction is None:
            raise ApiError(50027)
        if self._world.clock.time() - interaction.made_at > TOKEN_SECONDS:
            raise ApiError(50027)
        if interaction.state is not InteractionState.ANSWERED:
            raise ApiError(10015)
        return interaction

    def original(self, interaction: Interaction) -> Message:
        """Find the message that the first answer made or changed.

        Raises:
            ApiError: 10008 when there is none, or none any more.
        """
        message = interaction.original
        if message is None or message.deleted:
            raise ApiError(10008)
        return message

    def take(
        self, interaction: Interaction, body: Any, files: Mapping[int, Upload], problems: Problems
    ) -> None:
        """Take the bot's first answer.

        Raises:
            ApiError: when the answer does not fit or breaks a limit; the interaction goes on
                waiting then.
        """
        kind = self._fitting(interaction, body, problems)
        data = body.get("data") or {}
        match kind:
            case ResponseType.MESSAGE:
                self._messages.send(
                    interaction.channel,
                    self._world.bot,
                    data,
                    files,
                    problems,
                    path=("data",),
                    interaction=interaction,
                    ephemeral_for=self._only_for(interaction, data),
                    kind=_message_type(interaction),
                )
            case ResponseType.DEFERRED_MESSAGE:
                self._check_deferral(data, problems)
                interaction.thinking = True
                self._messages.think(
                    interaction,
                    ephemeral=self._only_for(interaction, data) is not None,
                    kind=_message_type(interaction),
                )
            case ResponseType.DEFERRED_UPDATE:
                interaction.original = interaction.message
            case ResponseType.UPDATE:
                target = interaction.message
                assert target is not None
                if target.deleted:
                    raise ApiError(10008)
                self._messages.edit(target, data, files, problems, path=("data",))
                interaction.original = target
            case ResponseType.CHOICES:
                check_choices(problems, data)
                problems.refuse()
                interaction.choices = data["choices"]
            case ResponseType.MODAL:
                check_modal(problems, data)
                problems.refuse()
                interaction.modal = data
        self._settle(interaction, kind)

    def _fitting(self, interaction: Interaction, body: Any, problems: Problems) -> ResponseType:
        number = body.get("type") if isinstance(body, dict) else None
        fitting = _FITTING[interaction.kind]
        if interaction.kind is InteractionType.MODAL and interaction.message is None:
            fitting -= {ResponseType.UPDATE}
        for answer in fitting:
            if answer == number:
                problems.keys((), body, ("type", "data"))
                return answer
        problems.add(
            ("type",),
            "INTERACTION_RESPONSE_TYPE_INVALID",
            f"Value must be one of {sorted(map(int, fitting))}.",
        )
        raise problems.refusal()

    @staticmethod
    def _only_for(interaction: Interaction, data: JSON) -> User | None:
        hidden = int(data.get("flags") or 0) & MessageFlag.EPHEMERAL
        return interaction.user if hidden else None

    @staticmethod
    def _check_deferral(data: JSON, problems: Problems) -> None:
        for key, value in data.items():
            if key == "flags" and not int(value or 0) & ~MessageFlag.EPHEMERAL:
                continue
            problems.note(
                ("data", key),
                "DEFERRED_IGNORED",
                "A deferred answer may only say that it will be ephemeral.",
            )

    def _settle(self, interaction: Interaction, answer: ResponseType) -> None:
        interaction.state = InteractionState.ANSWERED
        interaction.answer = answer
        interaction.answered_after = self._world.clock.time() - interaction.made_at
        if interaction.timer is not None:
            interaction.timer.cancel()
        if not interaction.answered.done():
            interaction.answered.set_result(None)
        self._world.emit(InteractionClosed(interaction))

    def follow_up(
        self,
        interaction: Interaction,
        body: JSON,
        files: Mapping[int, Upload],
        problems: Problems,
    ) -> Message:
        """Post a further message. The first one after a deferral fills the deferred message."""
        original = interaction.original
        if (
            interaction.thinking
            and original is not None
            and original.loading
            and not original.deleted
        ):
            interaction.thinking = False
            return self._messages.edit(original, body, files, problems)
        if (
            "0" not in interaction.integration_owners
            and len(interaction.followups) >= MOST_FOLLOW_UPS
        ):
            raise ApiError(40094)
        return self._messages.send(
            interaction.channel,
            self._world.bot,
            body,
            files,
            problems,
            interaction=interaction,
            ephemeral_for=self._only_for(interaction, body),
        )

    # The bot's view

    def described(self, interaction: Interaction) -> JSON:
        """Describe an interaction as the gateway does."""
        channel, user, world = interaction.channel, interaction.user, self._world
        guild = channel.guild
        data: JSON = {
            "id": str(interaction.id),
            "application_id": str(world.application.id),
            "type": int(interaction.kind),
            "token": interaction.token,
            "version": 1,
            "data": interaction.data,
            "channel_id": str(channel.id),
            "channel": payloads.channel(channel),
            "locale": user.locale,
            "app_permissions": str(int(self._permissions(channel))),
            "entitlements": [],
            "entitlement_sku_ids": [],
            "context": context_of(channel),
            "attachment_size_limit": FILE_BYTES,
            "authorizing_integration_owners": interaction.integration_owners,
        }
        if guild is not None:
            data |= {
                "guild_id": str(guild.id),
                "guild": {"id": str(guild.id), "features": [], "locale": guild.locale},
                "guild_locale": guild.locale,
                "member": {
                    **payloads.member(guild.members[user.id]),
                    "permissions": str(int(permissions_in(user, channel))),
                },
            }
        else:
            data["user"] = payloads.user(user)
        if interaction.message is not None:
            data["message"] = payloads.message(interaction.message)
            if interaction.shown is not None:
                data["message"] = {**data["message"], "components": interaction.shown}
        return data

    def _permissions(self, channel: Channel) -> Permission:
        borrowed = channel.guild is None or user_install_only(channel)
        return DIRECT if borrowed else permissions_in(self._world.bot, channel)

    @staticmethod
    def callback_described(interaction: Interaction) -> JSON:
        """Describe the effect of the first answer, for callers who asked for it."""
        original = interaction.original
        about: JSON = {"id": str(interaction.id), "type": int(interaction.kind)}
        answer: JSON = {"interaction": about}
        if original is not None:
            about |= {
                "response_message_id": str(original.id),
                "response_message_loading": original.loading,
                "response_message_ephemeral": original.ephemeral,
                "channel_id": str(original.channel.id),
            }
            if original.channel.guild is not None:
                about["guild_id"] = str(original.channel.guild.id)
            if interaction.answer in {ResponseType.MESSAGE, ResponseType.UPDATE}:
                answer["resource"] = {
                    "type": int(interaction.answer),
                    "message": payloads.message(original),
                }
        return answer


def _message_type(interaction: Interaction) -> int:
    if interaction.kind is InteractionType.COMMAND:
        return 20 if interaction.data["type"] == 1 else 23
    return 0
