"""OAuth2: codes become tokens once, soon and only for the application."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Any

import aiohttp
import pytest

from playground.activities.oauth2 import CODE_SECONDS, TOKEN_SECONDS
from playground.app import Playground
from playground.clock import ManualClock

JSON = dict[str, Any]
TOKEN = "oauth2/token"
BAD_CODE = {"error": "invalid_grant", "error_description": 'Invalid "code" in request.'}


class Client:
    """The application's server."""

    def __init__(self, playground: Playground, session: aiohttp.ClientSession) -> None:
        self.playground = playground
        self._session = session
        self.id = str(playground.world.application.id)

    def code(self, *scopes: str, person: str = "Ann") -> str:
        """Let somebody allow some scopes."""
        return self.playground.oauth2.code(
            self.playground.person(person).user, scopes or ["identify"]
        )

    async def post(self, path: str, form: Any, **more: Any) -> tuple[int, JSON]:
        """Send a form, with the right id and secret in it unless it has others."""
        if isinstance(form, dict):
            form = {"client_id": self.id, "client_secret": self.playground.client_secret, **form}
        async with self._session.post(path, data=form, **more) as answer:
            return answer.status, await answer.json()

    async def token(self, **form: str) -> tuple[int, JSON]:
        """Ask for a token."""
        return await self.post(TOKEN, {"grant_type": "authorization_code", **form})

    async def get(self, path: str, authorization: str) -> tuple[int, JSON]:
        """Ask something with a token."""
        headers = {"Authorization": authorization}
        async with self._session.get(path, headers=headers) as answer:
            return answer.status, await answer.json()


@pytest.fixture
async def client(playground: Playground) -> AsyncIterator[Client]:
    async with aiohttp.ClientSession(playground.rest_url + "/") as session:
        yield Client(playground, session)


async def test_a_code_becomes_a_token_that_says_who_allowed_it(client: Client) -> None:
    status, token = await client.token(code=client.code())
    assert status == 200
    assert (token["token_type"], token["scope"]) == ("Bearer", "identify")
    assert token["expires_in"] == TOKEN_SECONDS
    status, user = await client.get("users/@me", f"Bearer {token['access_token']}")
    ann = client.playground.person("Ann")
    assert (status, user["id"], user["locale"]) == (200, str(ann.id), ann.locale)
    assert "email" not in user, "that's another scope"
    status, about = await client.get("oauth2/@me", f"Bearer {token['access_token']}")
    assert (status, about["scopes"], about["user"]["id"]) == (200, ["identify"], str(ann.id))


async def test_a_code_works_once(client: Client) -> None:
    code = client.code()
    assert (await client.token(code=code))[0] == 200
    assert await client.token(code=code) == (400, BAD_CODE)


async def test_a_code_is_soon_too_old(client: Client, clock: ManualClock) -> None:
    code = client.code()
    clock.advance(CODE_SECONDS)
    assert await client.token(code=code) == (400, BAD_CODE)


@pytest.mark.parametrize(
    ("form", "error"),
    [
        ({"code": "made-up"}, BAD_CODE),
        ({}, {"error": "invalid_request", "error_description": 'Missing "code" in request.'}),
        (
            {"grant_type": "password"},
            {
                "error": "unsupported_grant_type",
                "error_description": "Grant type password is not supported",
            },
        ),
        (
            {"grant_type": "client_credentials", "scope": "everything"},
            {
                "error": "invalid_scope",
                "error_description": "The requested scope is invalid, unknown, or malformed.",
            },
        ),
    ],
)
async def test_other_requests_are_refused_in_oauth2s_words(
    client: Client, form: dict[str, str], error: JSON
) -> None:
    assert await client.token(**form) == (400, error)


@pytest.mark.parametrize("wrong", [{"client_secret": "guess"}, {"client_id": "1"}])
async def test_another_client_gets_nothing_and_uses_no_code_up(
    client: Client, wrong: dict[str, str]
) -> None:
    code = client.code()
    assert await client.token(code=code, **wrong) == (401, {"error": "invalid_client"})
    headers = {"Authorization": aiohttp.encode_basic_auth(client.id, "guess")}
    form = {"grant_type": "authorization_code", "code": code}
    assert (await client.post(TOKEN, form, headers=headers))[0] == 401
    assert (await client.token(code=code))[0] == 200


async def test_the_client_may_say_who_it_is_in_a_header(client: Client) -> None:
    form = f"grant_type=authorization_code&code={client.code()}"
    headers = {"Content-Type": "application/x-www-form-urlencoded"}
    headers["Authorization"] = aiohttp.encode_basic_auth(client.id, client.playground.client_secret)
    assert (await client.post(TOKEN, form, headers=headers))[0] == 200
    headers["Authorization"] = "Basic not-base64"
    assert (await client.post(TOKEN, form, headers=headers))[0] == 401


async def test_the_owner_checks_the_secret_without_a_code(client: Client) -> None:
    status, token = await client.token(grant_type="client_credentials", scope="identify")
    assert status == 200
    assert "refresh_token" not in token
    _, user = await client.get("users/@me", f"Bearer {token['access_token']}")
    assert user["id"] == str(client.playground.world.application.owner.id)


async def test_a_token_is_renewed_once_with_its_refresh_token(client: Client) -> None:
    _, token = await client.token(code=client.code())
    form = {"grant_type": "refresh_token", "refresh_token": token["refresh_token"]}
    status, renewed = await client.token(**form)
    assert (status, renewed["scope"]) == (200, "identify")
    assert (await client.token(**form))[0] == 400


async def test_a_revoked_or_old_token_opens_nothing(client: Client, clock: ManualClock) -> None:
    ann = client.playground.person("Ann").user
    _, token = await client.token(code=client.code())
    _, bens = await client.token(code=client.code(person="Ben"))
    assert await client.post(TOKEN + "/revoke", {"token": "made-up"}) == (200, {})
    wrong = {"token": token["access_token"], "client_secret": "guess"}
    assert (await client.post(TOKEN + "/revoke", wrong))[0] == 401
    assert client.playground.oauth2.allows(ann, ["identify"])
    assert await client.post(TOKEN + "/revoke", {"token": token["access_token"]}) == (200, {})
    assert not client.playground.oauth2.allows(ann, ["identify"])
    assert (await client.get("users/@me", f"Bearer {token['access_token']}"))[0] == 401
    assert (await client.get("users/@me", f"Bearer {bens['access_token']}"))[0] == 200
    clock.advance(TOKEN_SECONDS)
    assert (await client.get("users/@me", f"Bearer {bens['access_token']}"))[0] == 401


async def test_a_token_opens_only_what_it_is_for(client: Client) -> None:
    _, token = await client.token(code=client.code("guilds"))
    bearer = f"Bearer {token['access_token']}"
    assert (await client.get("users/@me", bearer))[1]["code"] == 50026
    assert (await client.get("users/@me/guilds", bearer))[0] == 401, "it is the bot's here"
    assert (await client.get("oauth2/@me", f"Bot {client.playground.token}"))[0] == 401


async def test_secrets_are_in_no_log_and_no_repr(client: Client) -> None:
    code = client.code()
    _, token = await client.token(code=code)
    await client.get("users/@me", f"Bearer {token['access_token']}")
    shown = repr([*client.playground.requests, client.playground.world.application])
    shown += repr(client.playground.oauth2.grant(token["access_token"]))
    assert "oauth2/token" in shown
    for secret in (code, token["access_token"], client.playground.client_secret):
        assert secret not in shown


async def test_a_strangers_form_is_small(client: Client) -> None:
    status, _ = await client.token(code="x" * 20_000)
    assert status == 413

    async def endless() -> AsyncIterator[bytes]:
        yield b"code=1"

    headers = {"Content-Type": "application/x-www-form-urlencoded"}
    assert (await client.post(TOKEN, endless(), headers=headers))[0] == 413


async def test_json_is_no_form(client: Client) -> None:
    headers = {"Content-Type": "application/json"}
    status, body = await client.post(TOKEN, '{"grant_type": "authorization_code"}', headers=headers)
    assert (status, body["error"]) == (400, "unsupported_grant_type")


async def test_the_endpoint_fails_when_told_to(client: Client) -> None:
    client.playground.faults.respond("POST /oauth2/token", status=503)
    assert (await client.token(code=client.code()))[0] == 503
