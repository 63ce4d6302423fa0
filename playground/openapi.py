"""Compares requests and answers with Discord's own description of its interface, where present.

The description is a file of 1.2 MB that is not part of this project, and the validator is a
development dependency: both are asked for only when somebody opens a :class:`Description`.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pathlib import Path

    import jsonschema_rs

    from playground.errors import JSON
    from playground.uploads import Body

_DRAFT = "https://json-schema.org/draft/2020-12/schema"


class OpenApi:
    """Discord's description.

    Args:
        path: Discord's ``openapi.json``.

    Raises:
        OSError: when there is no such file.
        ImportError: when the validator is not installed.
    """

    def __init__(self, path: Path) -> None:
        import jsonschema_rs  # noqa: F401, PLC0415 - said early: the validator is needed

        spec = json.loads(path.read_text("utf-8"))
        self._paths: JSON = spec["paths"]
        self._parts: JSON = {"components": {"schemas": spec["components"]["schemas"]}}
        self._validators: dict[tuple[str, ...], jsonschema_rs.Draft202012Validator | None] = {}

    def check_request(self, route: str, body: Body) -> list[str]:
        """Tell what is wrong with a request; nothing is an empty list."""
        if body.json is None:
            return []
        validator = self._validator(route, "request", body.media_type)
        return _complaints(validator, _normal(route, body.json))

    def check_answer(self, route: str, status: int, answer: Any) -> list[str]:
        """Tell what is wrong with an answer of the playground; nothing is an empty list."""
        if answer is None or status >= 400:
            return []
        validator = self._validator(route, "answer", str(status))
        return [f"{route} {status}: {c}" for c in _complaints(validator, answer)]

    def _validator(
        self, route: str, side: str, kind: str
    ) -> jsonschema_rs.Draft202012Validator | None:
        key = (route, side, kind)
        if key not in self._validators:
            self._validators[key] = self._build(route, side, kind)
        return self._validators[key]

    def _build(self, route: str, side: str, kind: str) -> jsonschema_rs.Draft202012Validator | None:
        from jsonschema_rs import Draft202012Validator  # noqa: PLC0415

        method, template = route.split(" ", 1)
        operation = self._paths.get(template, {}).get(method.lower())
        if operation is None:
            return None
        if side == "request":
            content = operation.get("requestBody", {}).get("content", {}).get(kind)
        else:
            answer = operation["responses"].get(kind, {})
            content = answer.get("content", {}).get("application/json")
        if content is None:
            return None
        return Draft202012Validator({"$schema": _DRAFT, **self._parts, **content["schema"]})


def _complaints(validator: jsonschema_rs.Draft202012Validator | None, instance: Any) -> list[str]:
    if validator is None or validator.is_valid(instance):
        return []
    return [
        f"{'.'.join(map(str, error.instance_path)) or 'body'}: {error.message[:300]}"
        for error in validator.iter_errors(instance)
    ]


def _normal(route: str, body: Any) -> Any:
    """Write as texts the ids that discord.py sends as numbers; Discord takes both.

    They are the recipient of a direct message, the placeholder ids of files, the parts of a
    reference to a message, and those who may be mentioned.
    """
    if not isinstance(body, dict):
        return body
    if route == "POST /users/@me/channels":
        return {**body, "recipient_id": str(body.get("recipient_id"))}
    if isinstance(body.get("data"), dict):
        return {**body, "data": _normal_message(body["data"])}
    return _normal_message(body)


def _normal_message(body: JSON) -> JSON:
    changed: JSON = {}
    if body.get("attachments"):
        changed["attachments"] = [{**file, "id": str(file["id"])} for file in body["attachments"]]
    if body.get("message_reference"):
        changed["message_reference"] = {
            key: str(value) if key.endswith("_id") else value
            for key, value in body["message_reference"].items()
        }
    if body.get("allowed_mentions"):
        changed["allowed_mentions"] = {
            key: [str(one) for one in value] if key in {"users", "roles"} else value
            for key, value in body["allowed_mentions"].items()
        }
    return {**body, **changed}
