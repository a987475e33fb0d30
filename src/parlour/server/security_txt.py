"""The server's security.txt (RFC 9116): whom to tell about a vulnerability, and what counts as one."""

from __future__ import annotations

import re
import time
from collections.abc import Sequence
from typing import NamedTuple

PATH = "/.well-known/security.txt"
POLICY_PATH = "/security-policy.txt"
VALID_SECONDS = 360 * 86400  # counted from the start; RFC 9116 asks for less than a year
MAIL = re.compile(r"[A-Za-z0-9.!#$&'*+/=?^_`{|}~-]{1,64}@[A-Za-z0-9-]{1,63}(?:\.[A-Za-z0-9-]{1,63})+")
ADDRESS = re.compile(r"https://[A-Za-z0-9-]{1,63}(?:\.[A-Za-z0-9-]{1,63})*(?::[1-9][0-9]{0,4})?(?:/[!-~]*)?")
POLICY = """\
Security of this server

Please report a vulnerability privately to the contact in security.txt, with the steps you took and the result.

These are security issues:

- a seat, a spectator or a bot learns something it may not know: a hidden card, a future draw, another seat's
  unfinished move
- a request, a message or a record crashes or hangs the server, or makes it read or write files it should not
- something that was acknowledged is lost, or somebody acts at a seat that is not theirs

Please test with tables and seats of your own only, and do not flood the server.
"""


class SecurityNotice(NamedTuple):
    """The texts at the two paths."""

    contact: str
    policy: str


def contact_address(text: str) -> str | None:
    """A mail address or an https address as RFC 9116 wants it; None for anything else."""
    mail = text.removeprefix("mailto:")
    if MAIL.fullmatch(mail):
        return f"mailto:{mail}"
    return text if ADDRESS.fullmatch(text) else None


def security_notice(contact: str, names: Sequence[str], now: float) -> SecurityNotice:
    """The notice of a server; with the names that people use behind a proxy, it says where it stands itself."""
    address = contact_address(contact)
    if address is None:
        raise ValueError(f"not a mail address or https address: {contact!r}")
    expires = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(now + VALID_SECONDS))
    lines = [f"Contact: {address}", f"Expires: {expires}", "Preferred-Languages: en"]
    for name in [each for each in names if each != "*"][:1]:
        lines += [f"Canonical: https://{name}{PATH}", f"Policy: https://{name}{POLICY_PATH}"]
    return SecurityNotice("\n".join(lines) + "\n", POLICY)
