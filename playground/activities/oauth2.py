"""OAuth2: what people allowed the application, and the codes and tokens that prove it.

A code is exchanged once, within `CODE_SECONDS`, for an access token of the person who allowed it.
"""

from __future__ import annotations

import secrets
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Final

from playground.clock import Clock
from playground.errors import JSON
from playground.model import Application, User

CODE_SECONDS: Final = 100.0
TOKEN_SECONDS: Final = 604_800
SCOPES: Final = frozenset(
    {
        "applications.commands",
        "applications.entitlements",
        "connections",
        "email",
        "guilds",
        "guilds.join",
        "guilds.members.read",
        "identify",
        "openid",
        "role_connections.write",
        "rpc.activities.write",
    }
)
"""What any application may ask for; other scopes need Discord's approval."""


class OAuth2Error(Exception):
    """A refusal of the token endpoint, in OAuth2's own words."""

    def __init__(self, error: str, description: str | None = None, *, status: int = 400) -> None:
        super().__init__(error, description)
        self.status = status
        self.body: JSON = {"error": error}
        if description is not None:
            self.body["error_description"] = description


@dataclass(frozen=True, slots=True)
class Grant:
    """What a token or a code stands for: a person, and what they allow."""

    user: User
    scopes: tuple[str, ...]
    ends_at: float
    token: str = field(default="", repr=False)

    @property
    def expires(self) -> str:
        """When it ends, as Discord writes it."""
        return datetime.fromtimestamp(self.ends_at, UTC).isoformat()


class OAuth2:
    """Gives out codes and tokens.

    Args:
        clock: the time.
        application: who asks for them.
    """

    def __init__(self, clock: Clock, application: Application) -> None:
        self._clock = clock
        self._application = application
        self._allowed: dict[int, set[str]] = {}
        self._codes: dict[str, Grant] = {}
        self._access: dict[str, Grant] = {}
        self._refresh: dict[str, Grant] = {}

    def allows(self, user: User, scopes: Collection[str]) -> bool:
        """Return whether somebody has allowed all of some scopes."""
        return self._allowed.get(user.id, set()).issuperset(scopes)

    def code(self, user: User, scopes: Collection[str]) -> str:
        """Note that somebody allows some scopes, and return a code for the application."""
        self._forget_old()
        self._allowed.setdefault(user.id, set()).update(scopes)
        code = secrets.token_urlsafe(22)
        self._codes[code] = Grant(user, tuple(scopes), self._clock.time() + CODE_SECONDS)
        return code

    def grant(self, token: str) -> Grant | None:
        """Return what an access token stands for; None if it's unknown, revoked or too old."""
        found = self._access.get(token)
        return None if found is None or found.ends_at <= self._clock.time() else found

    def exchange(self, form: Mapping[str, str], client: tuple[str, str] | None) -> JSON:
        """Answer a request for a token.

        Args:
            form: the request's fields.
            client: the id and secret of its Authorization header, if it has one.

        Raises:
            OAuth2Error: if it is refused.
        """
        kind = form.get("grant_type")
        if kind not in {"authorization_code", "refresh_token", "client_credentials"}:
            raise OAuth2Error("unsupported_grant_type", f"Grant type {kind} is not supported")
        self._check_client(form, client)
        self._forget_old()
        match kind:
            case "authorization_code":
                grant = self._taken(self._codes, form, "code")
            case "refresh_token":
                grant = self._taken(self._refresh, form, "refresh_token")
            case _:
                grant = self._owners(form)
        return self._token(grant, refreshable=kind != "client_credentials")

    def revoke(self, form: Mapping[str, str], client: tuple[str, str] | None) -> None:
        """End a token, and with it all of the application's tokens for this person, as Discord does.

        Raises:
            OAuth2Error: if the client isn't the application.
        """
        self._check_client(form, client)
        token = form.get("token", "")
        found = self._access.get(token) or self._refresh.get(token)
        if found is None:
            return
        self._allowed.pop(found.user.id, None)
        for kept in (self._access, self._refresh):
            for other in [t for t, grant in kept.items() if grant.user is found.user]:
                del kept[other]

    def _check_client(self, form: Mapping[str, str], client: tuple[str, str] | None) -> None:
        given = client or (form.get("client_id", ""), form.get("client_secret", ""))
        wanted = (str(self._application.id), self._application.client_secret)
        if not all(
            secrets.compare_digest(one.encode(), other.encode())
            for one, other in zip(given, wanted, strict=True)
        ):
            raise OAuth2Error("invalid_client", status=401)

    def _taken(self, kept: dict[str, Grant], form: Mapping[str, str], name: str) -> Grant:
        """Take a code or refresh token, which works once."""
        given = form.get(name)
        if not given:
            raise OAuth2Error("invalid_request", f'Missing "{name}" in request.')
        found = kept.pop(given, None)
        if found is None:
            raise OAuth2Error("invalid_grant", f'Invalid "{name}" in request.')
        return found

    def _owners(self, form: Mapping[str, str]) -> Grant:
        scopes = form.get("scope", "").split()
        if not scopes or not SCOPES.issuperset(scopes):
            raise OAuth2Error(
                "invalid_scope", "The requested scope is invalid, unknown, or malformed."
            )
        return Grant(self._application.owner, tuple(scopes), 0)

    def _token(self, grant: Grant, *, refreshable: bool) -> JSON:
        now = self._clock.time()
        access, refresh = secrets.token_urlsafe(22), secrets.token_urlsafe(22)
        self._access[access] = Grant(grant.user, grant.scopes, now + TOKEN_SECONDS, access)
        answer: JSON = {
            "token_type": "Bearer",
            "access_token": access,
            "expires_in": TOKEN_SECONDS,
            "scope": " ".join(grant.scopes),
        }
        if refreshable:
            self._refresh[refresh] = Grant(grant.user, grant.scopes, now + 4 * TOKEN_SECONDS)
            answer["refresh_token"] = refresh
        return answer

    def _forget_old(self) -> None:
        now = self._clock.time()
        for kept in (self._codes, self._access, self._refresh):
            for old in [key for key, grant in kept.items() if grant.ends_at <= now]:
                del kept[old]
