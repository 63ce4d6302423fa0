"""Routes of OAuth2: tokens for codes, and what a token is for."""

from __future__ import annotations

import base64
import binascii
from urllib.parse import unquote

from playground import payloads
from playground.activities.oauth2 import OAuth2, OAuth2Error
from playground.errors import ApiError
from playground.rest.api import Call, Handler, Result
from playground.world import World


class OAuth2Routes:
    """Serves ``/oauth2``."""

    def __init__(self, world: World, oauth2: OAuth2) -> None:
        self._world = world
        self._oauth2 = oauth2

    def form_table(self) -> dict[str, Handler]:
        """Return the handlers by route of forms, which need no token."""
        return {"POST /oauth2/token": self.token, "POST /oauth2/token/revoke": self.revoke}

    def bearer_table(self) -> dict[str, Handler]:
        """Return the handlers by route that need a person's token."""
        return {"GET /oauth2/@me": self.me}

    def token(self, call: Call) -> Result:
        """Give a token."""
        try:
            return 200, self._oauth2.exchange(call.body.form, _client(call))
        except OAuth2Error as refusal:
            return refusal.status, refusal.body

    def revoke(self, call: Call) -> Result:
        """End a token."""
        try:
            self._oauth2.revoke(call.body.form, _client(call))
        except OAuth2Error as refusal:
            return refusal.status, refusal.body
        return 200, {}

    def me(self, call: Call) -> Result:
        """Return what a token is for."""
        if call.grant is None:
            raise ApiError(0)
        answer = {
            "application": payloads.public_application(self._world.application),
            "scopes": list(call.grant.scopes),
            "expires": call.grant.expires,
        }
        if "identify" in call.grant.scopes:
            answer["user"] = payloads.user(call.grant.user)
        return 200, answer


def _client(call: Call) -> tuple[str, str] | None:
    """Return the id and secret in the Authorization header."""
    kind, _, given = call.authorization.partition(" ")
    if kind.lower() != "basic":
        return None
    try:
        user, _, password = base64.b64decode(given, validate=True).decode().partition(":")
    except (binascii.Error, UnicodeDecodeError):
        return "", ""
    return unquote(user), unquote(password)
