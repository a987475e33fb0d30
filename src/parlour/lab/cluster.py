"""The work of a study on a cluster of Dask distributed, with its results in the order of the tasks."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from ipaddress import ip_address
from typing import Any, TypeVar
from urllib.parse import urlsplit

Task = TypeVar("Task")
Result = TypeVar("Result")

WINDOW = 1000  # tasks that are handed out at a time: more than any cluster has hands
RETRIES = 10  # of a task whose worker dies; it is the same task for whoever does it next
PATIENCE = 10  # seconds for the scheduler to answer


class ClusterError(Exception):
    """The cluster cannot be used; the message is one sentence."""


def check_address(address: str, trusted: bool) -> None:
    """Refuse what is no address, and what is not on this machine unless it is trusted."""
    try:
        parts = urlsplit(address)
        host, port = parts.hostname, parts.port
    except ValueError:
        host = port = None
    if not host or not port or parts.scheme not in ("tcp", "tls"):
        raise ClusterError(f"A cluster has an address like tcp://127.0.0.1:8786, not {address!r:.60}.")
    if not trusted and not is_loopback(host):
        raise ClusterError(
            f"{host:.60} is not this machine, and who answers there is trusted with all that you may do;"
            " --trust-network says that you do."
        )


def is_loopback(host: str) -> bool:
    """Whether a host is this machine, known without asking anybody."""
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


@contextmanager
def on_cluster(address: str) -> Iterator[Callable[[Callable[[Task], Result], Iterable[Task]], Iterator[Result]]]:
    """How to share tasks among the workers of a cluster. Workers may die and come back; tasks must be pure."""
    try:
        from distributed import Client
    except ImportError as error:
        raise ClusterError(f"This needs {error.name}: pip install 'parlour[cluster]'.") from None
    try:
        client: Any = Client(address, timeout=PATIENCE, set_as_default=False)  # type: ignore[no-untyped-call]
    except OSError:
        raise ClusterError(f"No scheduler answers at {address}; `dask scheduler` starts one.") from None
    try:
        yield lambda function, tasks: in_order(client, function, tasks)
    finally:
        client.close()


def in_order(client: Any, function: Callable[[Task], Result], tasks: Iterable[Task]) -> Iterator[Result]:
    """What a function makes of each task, a window of them at a time."""
    from distributed import KilledWorker

    def ask(task: Task) -> Any:
        # named anew each time: what an earlier study left on the cluster is not taken for this one's
        return client.submit(function, task, pure=False, retries=RETRIES)

    waiting: deque[Any] = deque()
    try:
        for task in tasks:
            waiting.append(ask(task))
            if len(waiting) >= WINDOW:
                yield waiting.popleft().result()
        while waiting:
            yield waiting.popleft().result()
    except KilledWorker:
        raise ClusterError("One block ended several workers that tried it; look at what they wrote.") from None
    finally:
        client.cancel(list(waiting))
