"""Validates requests and responses against Discord's OpenAPI document.

The document (1.2 MB) is not part of this project, and the validator is a development dependency:
neither is needed elsewhere.
"""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

from playground.errors import JSON
from playground.uploads import Body

if TYPE_CHECKING:
    from jsonschema_rs import Draft202012Validator

_DRAFT = "https://json-schema.org/draft/2020-12/schema"
_REFERENCE = re.compile(r'"#/components/schemas/(\w+)"')


class OpenApi:
    """Discord's OpenAPI document.

    Args:
        path: Discord's ``openapi.json``.

    Raises:
        OSError: if the file does not exist.
        ImportError: if the validator is not installed.
    """

    def __init__(self, path: Path) -> None:
        from jsonschema_rs import Draft202012Validator  # noqa: PLC0415 -- for developers alone

        self._validate = Draft202012Validator
        spec = json.loads(path.read_text("utf-8"))
        self._paths: JSON = spec["paths"]
        self._schemas: JSON = spec["components"]["schemas"]
        self._validators: dict[tuple[str, ...], Draft202012Validator | None] = {}

    def check_request(self, route: str, body: Body) -> list[str]:
        """List the errors in a request."""
        if body.json is None:
            return []
        validator = self._validator(route, "request", body.media_type)
        return _errors(validator, _normalized(route, body.json))

    def check_response(self, route: str, status: int, data: Any) -> list[str]:
        """List the errors in one of the playground's responses."""
        if data is None or status >= 400:
            return []
        validator = self._validator(route, "response", str(status))
        return [f"{route} {status}: {error}" for error in _errors(validator, data)]

    def _validator(self, route: str, side: str, kind: str) -> Draft202012Validator | None:
        key = (route, side, kind)
        if key not in self._validators:
            self._validators[key] = self._build(route, side, kind)
        return self._validators[key]

    def _build(self, route: str, side: str, kind: str) -> Draft202012Validator | None:
        method, template = route.split(" ", 1)
        operation = self._paths.get(template, {}).get(method.lower())
        if operation is None:
            return None
        if side == "request":
            content = operation.get("requestBody", {}).get("content", {}).get(kind)
        else:
            response = operation["responses"].get(kind, {})
            content = response.get("content", {}).get("application/json")
        if content is None:
            return None
        parts = {"components": {"schemas": self._used(content["schema"])}}
        return self._validate({"$schema": _DRAFT, **parts, **content["schema"]})

    def _used(self, schema: JSON) -> JSON:
        """Return the schemas that a schema refers to, also indirectly; all would take long."""
        used: JSON = {}
        found = [schema]
        while found:
            names = set(_REFERENCE.findall(json.dumps(found.pop()))) - used.keys()
            used |= {name: self._schemas[name] for name in names}
            found += [self._schemas[name] for name in names]
        return used


def _errors(validator: Draft202012Validator | None, instance: Any) -> list[str]:
    if validator is None or validator.is_valid(instance):
        return []
    return [
        f"{'.'.join(map(str, error.instance_path)) or 'body'}: {error.message[:300]}"
        for error in validator.iter_errors(instance)
    ]


def _normalized(route: str, body: Any) -> Any:
    """Turn ids that discord.py sends as numbers into strings; Discord accepts both.

    These are the recipients of DMs, placeholder ids of attachments, message references and allowed
    mentions.
    """
    if not isinstance(body, dict):
        return body
    if route == "POST /users/@me/channels":
        return {**body, "recipient_id": str(body.get("recipient_id"))}
    if isinstance(body.get("data"), dict):
        return {**body, "data": _normalized_message(body["data"])}
    return _normalized_message(body)


def _normalized_message(body: JSON) -> JSON:
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
