"""Completes components as Discord does: ids, defaults, and the URLs of attachments."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from playground import components as kinds
from playground.errors import JSON
from playground.model import Attachment
from playground.snowflake import Snowflakes

_DEFAULTS: Final[dict[int, dict[str, Any]]] = {
    **{kind: {"min_values": 1, "max_values": 1} for kind in kinds.SELECTS},
    kinds.CONTAINER: {"accent_color": None, "spoiler": False},
    kinds.THUMBNAIL: {"description": None, "spoiler": False},
    kinds.SEPARATOR: {"spacing": 1, "divider": True},
    kinds.FILE: {"spoiler": False},
}


def normalize_components(
    tree: Sequence[JSON] | None, attachments: Sequence[Attachment], ids: Snowflakes
) -> list[JSON]:
    """Complete the validated components of a message with these attachments."""
    return _Normalizer(tree or (), attachments, ids).tree()


class _Normalizer:
    def __init__(
        self, tree: Sequence[JSON], attachments: Sequence[Attachment], ids: Snowflakes
    ) -> None:
        taken = {c["id"] for c in kinds.walk(tree) if c.get("id")}
        self._free = (number for number in range(1, 100_000) if number not in taken)
        self._tree = tree
        self._files = {file.filename: file for file in attachments}
        self._ids = ids

    def tree(self) -> list[JSON]:
        return [self._one(component) for component in self._tree]

    def _one(self, component: JSON) -> JSON:
        kind = component["type"]
        done: JSON = {
            **_DEFAULTS.get(kind, {}),
            **component,
            "id": component.get("id") or next(self._free),
        }
        if "components" in done:
            done["components"] = [self._one(inner) for inner in done["components"]]
        if kind == kinds.SECTION:
            done["accessory"] = self._one(done["accessory"])
        elif kind == kinds.GALLERY:
            done["items"] = [self._item(item) for item in done["items"]]
        elif kind == kinds.THUMBNAIL:
            done["media"] = self._media(done["media"])
        elif kind == kinds.FILE:
            name = str(done["file"]["url"]).removeprefix("attachment://")
            file = self._files.get(name)
            done["file"] = self._media(done["file"])
            done |= {"name": name, "size": len(file.data) if file else 0}
        return done

    def _item(self, item: JSON) -> JSON:
        return {
            "media": self._media(item["media"]),
            "description": item.get("description"),
            "spoiler": bool(item.get("spoiler")),
        }

    def _media(self, value: JSON) -> JSON:
        """Resolve a URL: ``attachment://``, or a CDN URL by its last part."""
        url = str(value["url"])
        if url.startswith("attachment://"):
            file = self._files.get(url.removeprefix("attachment://"))
        else:
            file = self._files.get(url.partition("?")[0].rpartition("/")[2])
        if file is None:
            return {"id": str(self._ids.next()), "url": url, "proxy_url": url}
        data: JSON = {
            "id": str(file.id),
            "url": file.url,
            "proxy_url": file.url,
            "content_type": file.content_type,
            "attachment_id": str(file.id),
        }
        if file.width is not None:
            data |= {"width": file.width, "height": file.height}
        return data
