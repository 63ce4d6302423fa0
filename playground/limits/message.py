"""Discord's limits on messages, modals and autocomplete choices."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Final

from playground.errors import JSON, ApiError
from playground.limits.components import ComponentCheck
from playground.limits.problems import Path, Problems
from playground.model import MessageFlag
from playground.uploads import Upload

FILE_BYTES: Final = 10 * 1024 * 1024
REQUEST_BYTES: Final = 25 * 1024 * 1024

_CREATE: Final = frozenset(
    {
        "content",
        "nonce",
        "tts",
        "embeds",
        "allowed_mentions",
        "message_reference",
        "components",
        "sticker_ids",
        "attachments",
        "flags",
        "enforce_nonce",
        "poll",
        "shared_client_theme",
    }
)
_HOOK: Final = frozenset({"username", "avatar_url", "thread_name", "applied_tags"})
_SETTABLE: Final = (
    MessageFlag.SUPPRESS_EMBEDS
    | MessageFlag.EPHEMERAL
    | MessageFlag.SUPPRESS_NOTIFICATIONS
    | MessageFlag.COMPONENTS_V2
)
_EMBED_TEXTS: Final = (("title", 256), ("description", 4096))


def check_message(
    problems: Problems,
    body: Any,
    files: Mapping[int, Upload],
    *,
    path: Path = (),
    kept: Iterable[str] = (),
    before: JSON | None = None,
) -> None:
    """Check a new message, or the result of an edit.

    Args:
        problems: collects the problems.
        body: the JSON body.
        files: the uploads.
        path: the body's path in the request.
        kept: the names of the attachments that an edit keeps.
        before: for an edit: ``content``, ``embeds``, ``components`` and ``flags`` of the message.

    Raises:
        ApiError: 50006 if the message is empty, 40005 if files are too large.
    """
    if not problems.is_object(path, body):
        return
    problems.keys(path, body, _CREATE | _HOOK)
    after = {**(before or {}), **{k: v for k, v in body.items() if v is not None or before}}
    flags = int(body.get("flags") or 0) | (int(before["flags"]) if before else 0)
    v2 = bool(flags & MessageFlag.COMPONENTS_V2)
    _check_flags(problems, path, body)
    problems.text((*path, "content"), body.get("content"), 2000)
    _check_nonce(problems, path, body)
    _check_embeds(problems, (*path, "embeds"), body.get("embeds"))
    _check_mentions(problems, (*path, "allowed_mentions"), body.get("allowed_mentions"))
    names = _check_files(problems, path, body, files)
    components = ComponentCheck(problems, frozenset(names) | frozenset(kept))
    if "components" in body or (before is None and not v2):
        components.message((*path, "components"), body.get("components"), v2=v2)
    if v2:
        for key in ("content", "embeds", "poll", "sticker_ids"):
            if after.get(key):
                problems.add(
                    (*path, key),
                    "MESSAGE_CANNOT_USE_LEGACY_FIELDS_WITH_COMPONENTS_V2",
                    f"The '{key}' field cannot be used when using MessageFlags.IS_COMPONENTS_V2",
                )
        for name in names:
            if name not in components.shown:
                problems.note(
                    (*path, "attachments"),
                    "ATTACHMENT_NOT_SHOWN",
                    f"No component shows {name}, so nobody will see it.",
                )
    if not problems.found and not (
        after.get("content")
        or after.get("embeds")
        or after.get("components")
        or names
        or tuple(kept)
        or after.get("sticker_ids")
        or after.get("poll")
    ):
        raise ApiError(50006)


def _check_flags(problems: Problems, path: Path, body: JSON) -> None:
    flags = body.get("flags") or 0
    if not isinstance(flags, int) or isinstance(flags, bool):
        problems.add((*path, "flags"), "NUMBER_TYPE_COERCE", f'Value "{flags}" is not int.')
    elif flags & ~_SETTABLE:
        problems.note((*path, "flags"), "FLAG_IGNORED", "Discord ignores some of these flags.")


def _check_nonce(problems: Problems, path: Path, body: JSON) -> None:
    nonce = body.get("nonce")
    if isinstance(nonce, str):
        problems.text((*path, "nonce"), nonce, 25)
    elif nonce is None and body.get("enforce_nonce"):
        problems.note((*path, "nonce"), "NONCE_MISSING", "enforce_nonce without a nonce.")


def _check_files(
    problems: Problems, path: Path, body: JSON, files: Mapping[int, Upload]
) -> list[str]:
    """Check uploads; return the names by which components may refer to them."""
    if (
        sum(len(upload.data) for upload in files.values()) > REQUEST_BYTES
        or max((len(upload.data) for upload in files.values()), default=0) > FILE_BYTES
    ):
        raise ApiError(40005)
    if len(files) > 10:
        problems.add((*path, "files"), "BASE_TYPE_MAX_LENGTH", "Must be 10 or fewer in length.")
    for number, upload in files.items():
        if not upload.data:
            problems.add((*path, "files", number), "ATTACHMENT_EMPTY", "The uploaded file is empty")
    names = {number: upload.filename for number, upload in files.items()}
    listed = body.get("attachments")
    if listed is not None and problems.count((*path, "attachments"), listed, 10):
        _check_listed(problems, (*path, "attachments"), listed, names)
    return list(names.values())


def _check_listed(
    problems: Problems, path: Path, listed: list[JSON], names: dict[int, str]
) -> None:
    """Check the ``attachments`` list, whose file names override those of uploads."""
    for index, entry in enumerate(listed):
        here = (*path, index)
        try:
            number = int(entry["id"])
        except (KeyError, TypeError, ValueError):
            problems.required((*here, "id"))
            continue
        problems.text((*here, "description"), entry.get("description"), 1024)
        if number in names:
            names[number] = entry.get("filename") or names[number]
        elif number < 1000:
            problems.add(
                (*here, "id"), "ATTACHMENT_NOT_FOUND", f"No file files[{number}] was uploaded"
            )


def _check_embeds(problems: Problems, path: Path, embeds: Any) -> None:
    if embeds is None or not problems.count(path, embeds, 10):
        return
    total = 0
    for index, embed in enumerate(embeds):
        here = (*path, index)
        for key, longest in _EMBED_TEXTS:
            problems.text((*here, key), embed.get(key), longest)
            total += len(embed.get(key) or "")
        footer = (embed.get("footer") or {}).get("text")
        author = (embed.get("author") or {}).get("name")
        problems.text((*here, "footer", "text"), footer, 2048)
        problems.text((*here, "author", "name"), author, 256)
        total += len(footer or "") + len(author or "")
        fields = embed.get("fields") or []
        problems.count((*here, "fields"), fields, 25)
        for number, entry in enumerate(fields):
            spot = (*here, "fields", number)
            problems.text((*spot, "name"), entry.get("name"), 256, shortest=1, required=True)
            problems.text((*spot, "value"), entry.get("value"), 1024, shortest=1, required=True)
            total += len(entry.get("name") or "") + len(entry.get("value") or "")
    if total > 6000:
        problems.add(
            path,
            "MAX_EMBED_SIZE_EXCEEDED",
            "Embed size exceeds maximum size of 6000",
        )


def _check_mentions(problems: Problems, path: Path, allowed: Any) -> None:
    if allowed is None:
        return
    problems.keys(path, allowed, ("parse", "users", "roles", "replied_user"))
    for key in ("users", "roles"):
        if key in allowed:
            problems.count((*path, key), allowed[key], 100)
            if allowed[key] and key in (allowed.get("parse") or ()):
                problems.add(
                    (*path, "parse"),
                    "MESSAGE_ALLOWED_MENTIONS_PARSE_EXCLUSIVE",
                    f'parse:["{key}"] and {key}: [ids...] are mutually exclusive.',
                )


def check_modal(problems: Problems, data: Any) -> None:
    """Check a modal."""
    if not isinstance(data, dict):
        problems.required(("data",))
        return
    problems.keys(("data",), data, ("custom_id", "title", "components"))
    problems.text(("data", "title"), data.get("title"), 45, shortest=1, required=True)
    problems.text(("data", "custom_id"), data.get("custom_id"), 100, shortest=1, required=True)
    check = ComponentCheck(problems, frozenset(), modal=True)
    check.modal(("data", "components"), data.get("components"))


def check_choices(problems: Problems, data: Any) -> None:
    """Check autocomplete choices."""
    choices: Any = data.get("choices") if isinstance(data, dict) else None
    path: Path = ("data", "choices")
    if not problems.count(path, choices, 25):
        return
    for index, choice in enumerate(choices):
        problems.text((*path, index, "name"), choice.get("name"), 100, shortest=1, required=True)
        value = choice.get("value")
        if value is None:
            problems.required((*path, index, "value"))
        elif isinstance(value, str):
            problems.text((*path, index, "value"), value, 100)
