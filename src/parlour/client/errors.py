"""What can go wrong between a client and a server, each an exception whose message is one sentence."""

from __future__ import annotations


class ClientError(Exception):
    """Something went wrong; the message is one sentence."""


class Unreachable(ClientError):
    """The server could not be reached, or did not answer, for as long as the client was told to try."""


class Refused(ClientError):
    """The server refuses: why, the clause of the rules behind that, and the status where it was asked over HTTP."""

    def __init__(self, sentence: str, clause: str = "", status: int = 0) -> None:
        super().__init__(sentence)
        self.clause = clause
        self.status = status


class Stale(ClientError):
    """The request answered a position that has passed; the table has the present one."""


class SetBack(ClientError):
    """The server's log is shorter or other than what this client was told, so the request was not sent again."""
