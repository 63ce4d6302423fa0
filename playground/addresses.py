"""The URLs of a playground, which are always on the loopback interface."""

from __future__ import annotations

import ipaddress
from typing import Final

REST_PATH: Final = "/api/v10"
GATEWAY_PATH: Final = "/gateway/"
CDN_PATH: Final = "/cdn"
ACTIVITY_DOMAIN: Final = ".localhost"


class Addresses:
    """The URLs of a playground, possibly in another process.

    Args:
        url: its base URL, which shows the chat page.
    """

    def __init__(self, url: str) -> None:
        self.url = url.rstrip("/")

    @property
    def rest_url(self) -> str:
        """The REST API, version included."""
        return self.url + REST_PATH

    @property
    def gateway_url(self) -> str:
        """The gateway's WebSocket."""
        return self.url.replace("http", "ws", 1) + GATEWAY_PATH

    @property
    def cdn_url(self) -> str:
        """The CDN: attachments and avatars."""
        return self.url + CDN_PATH


def base_url(host: str, port: int) -> str:
    """Return the base URL of a host and port."""
    return f"http://[{host}]:{port}" if ":" in host else f"http://{host}:{port}"


def is_loopback(host: str) -> bool:
    """Return whether a host can only be reached from this machine."""
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host.strip("[]")).is_loopback
    except ValueError:
        return False


def activity_host(application_id: int) -> str:
    """Return the host of an application's Activity, as ``<id>.discordsays.com`` is in Discord.

    Browsers find it on this machine, and take it for another site than the chat page's.
    """
    return f"{application_id}{ACTIVITY_DOMAIN}"
