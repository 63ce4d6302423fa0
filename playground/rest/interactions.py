"""Routes of interactions: the callback, and messages by interaction token."""

from __future__ import annotations

from collections.abc import Mapping

from playground import message_payloads
from playground.errors import ApiError
from playground.interaction import Interaction
from playground.interactions import Interactions
from playground.messages import Messages
from playground.model import Message
from playground.rest.api import Call, Handler, Result
from playground.world import World


class InteractionRoutes:
    """Serves ``/interactions`` and ``/webhooks``. These routes need no bot token."""

    def __init__(self, world: World, messages: Messages, interactions: Interactions) -> None:
        self._world = world
        self._messages = messages
        self._interactions = interactions

    def table(self) -> dict[str, Handler]:
        """Return the handlers by route."""
        hook = "/webhooks/{webhook_id}/{webhook_token}"
        return {
            "POST /interactions/{interaction_id}/{interaction_token}/callback": self.respond,
            f"POST {hook}": self.follow_up,
            f"GET {hook}/messages/@original": self.get_original,
            f"PATCH {hook}/messages/@original": self.edit_original,
            f"DELETE {hook}/messages/@original": self.delete_original,
            f"GET {hook}/messages/{{message_id}}": self.get,
            f"PATCH {hook}/messages/{{message_id}}": self.edit,
            f"DELETE {hook}/messages/{{message_id}}": self.delete,
        }

    def known(self, params: Mapping[str, str]) -> bool:
        """Return whether a path has the token of an interaction, valid or not any more."""
        token = params.get("interaction_token") or params.get("webhook_token", "")
        return self._interactions.knows(token)

    def respond(self, call: Call) -> Result:
        """Accept the first response."""
        interaction = self._interactions.waiting(
            call.id("interaction_id"), call.params["interaction_token"]
        )
        self._interactions.respond(interaction, call.body.json, call.body.files, call.problems)
        if call.query.get("with_response") in {"1", "true", "True"}:
            return 200, message_payloads.interaction_callback(interaction)
        return 204, None

    def _interaction(self, call: Call) -> Interaction:
        if call.id("webhook_id") != self._world.application.id:
            raise ApiError(10015)
        return self._interactions.by_token(call.params["webhook_token"])

    def follow_up(self, call: Call) -> Result:
        """Post a follow-up message."""
        message = self._interactions.follow_up(
            self._interaction(call), call.json, call.body.files, call.problems
        )
        return 200, message_payloads.message(message)

    def _original(self, call: Call) -> Message:
        message = self._interaction(call).original
        if message is None or message.deleted:
            raise ApiError(10008)
        return message

    def get_original(self, call: Call) -> Result:
        """Return the first response's message."""
        return 200, message_payloads.message(self._original(call))

    def edit_original(self, call: Call) -> Result:
        """Edit the first response's message."""
        message = self._original(call)
        self._messages.edit(message, call.json, call.body.files, call.problems)
        return 200, message_payloads.message(message)

    def delete_original(self, call: Call) -> Result:
        """Delete the first response's message."""
        self._messages.delete(self._original(call))
        return 204, None

    def _message(self, call: Call) -> Message:
        interaction = self._interaction(call)
        wanted = call.id("message_id")
        for message in (interaction.original, *interaction.followups):
            if message is not None and message.id == wanted and not message.deleted:
                return message
        raise ApiError(10008)

    def get(self, call: Call) -> Result:
        """Return a message of this interaction."""
        return 200, message_payloads.message(self._message(call))

    def edit(self, call: Call) -> Result:
        """Edit a message of this interaction."""
        message = self._message(call)
        self._messages.edit(message, call.json, call.body.files, call.problems)
        return 200, message_payloads.message(message)

    def delete(self, call: Call) -> Result:
        """Delete a message of this interaction."""
        self._messages.delete(self._message(call))
        return 204, None
