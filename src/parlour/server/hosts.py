"""Hosts and origins: what a request may be addressed to and come from, parsed without any leniency."""

from __future__ import annotations

import ipaddress
import re
from collections.abc import Collection, Sequence
from typing import NamedTuple

from ..engine.messages import say

ANY = "*"  # among the known hosts: every name that is one
LONGEST_HOST = 253  # letters, as in the DNS
LABEL = r"[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?"
AUTHORITY = re.compile(rf"(?P<host>{LABEL}(?:\.{LABEL})*|\[[0-9a-f:.]+\])(?::(?P<port>[1-9][0-9]{{0,4}}))?")
USUAL_PORTS = {"http": 80, "https": 443}
Rejection = tuple[int, str]  # a status and a sentence


class Authority(NamedTuple):
    """A host, as it is compared, and the port if one is given."""

    host: str
    port: int | None


def authority(text: str) -> Authority | None:
    """A name, an IPv4 address or an IPv6 address in brackets, with or without a port; None for anything else.

    User names, spaces, percent signs, dots at the end, IPv6 zones and empty ports are refused.
    """
    found = AUTHORITY.fullmatch(text.lower())
    if found is None or not text.isascii():
        return None
    host = _canonical(found["host"])
    port = None if found["port"] is None else int(found["port"])
    return None if host is None or (port or 0) > 65535 else Authority(host, port)


def _canonical(host: str) -> str | None:
    """The canonical form of a host; None if invalid."""
    try:
        if host.startswith("["):
            return f"[{ipaddress.IPv6Address(host[1:-1])}]"
        if host.rpartition(".")[2].isdigit():  # no name ends in a number
            return str(ipaddress.IPv4Address(host))
    except ValueError:
        return None
    return host if len(host) <= LONGEST_HOST else None


def host_name(text: str) -> str | None:
    """A host without a port, or the sign for any; None where it is neither."""
    parsed = authority(text)
    return ANY if text == ANY else parsed.host if parsed is not None and parsed.port is None else None


def known_hosts(names: Sequence[str]) -> set[str]:
    """Names and addresses as requests are compared with; those that no request can ask for are left out."""
    return {host for name in names if (host := host_name(name)) is not None}


def same_origin(origin: str, host: Authority) -> bool:
    """Whether a page of that origin comes from the host that is asked; a port that is left out is the usual one."""
    scheme, separator, rest = origin.partition("://")
    usual = USUAL_PORTS.get(scheme.lower())
    parsed = authority(rest)
    if not separator or usual is None or parsed is None:
        return False
    return (parsed.host, parsed.port or usual) == (host.host, host.port or usual)


def why_rejected(hosts: Sequence[str], origins: Sequence[str], known: Collection[str]) -> Rejection | None:
    """Why a request with these Host and Origin headers is rejected."""
    asked = authority(hosts[0]) if len(hosts) == 1 else None
    if asked is None:
        return 400, say("one host", "A request needs one Host header: a name or an address, and a port if need be.")
    if asked.host not in known and ANY not in known:
        return 421, say("unknown host", "This server is not known by that name.")
    if len(origins) > 1 or not all(same_origin(origin, asked) for origin in origins):
        return 403, say("other sites", "Pages of other sites may not ask here.")
    return None
