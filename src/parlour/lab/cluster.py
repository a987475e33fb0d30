"""The work of a study on a cluster of Dask distributed, with its results as they are done."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import CancelledError
from contextlib import contextmanager
from ipaddress import ip_address
from itertools import islice
from typing import Any, TypeVar
from urllib.parse import urlsplit

from .study import OtherVersion

Task = TypeVar("Task")
Result = TypeVar("Result")
Say = Callable[[str], object]

WINDOW = 1000  # tasks that are handed out at a time: more than any cluster has hands
ATTEMPTS = 3  # at a task whose workers die: the scheduler gives it up after a few deaths, and it is asked for again
PATIENCE = 10  # seconds for the scheduler to answer
WORKER_FAILED = "A worker of the cluster failed: {}."


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
def on_cluster(
    address: str, say: Say
) -> Iterator[Callable[[Callable[[Task], Result], Iterable[Task]], Iterator[Result]]]:
    """How to share tasks among the workers of a cluster. Workers may die and come back; tasks must be pure.

    Where there is something to wait for it is said, in a sentence.
    """
    try:
        from distributed import Client
    except ImportError as error:
        raise ClusterError(f"This needs {error.name}: pip install 'parlour[cluster]'.") from None
    for name in ("distributed", "distributed.client"):
        logging.getLogger(name).setLevel(logging.CRITICAL)  # what goes wrong is said once, by us
    if address.startswith("tls:") and not has_certificates():
        raise ClusterError("For tls:// Dask must find certificates: distributed.comm.tls in its own configuration.")
    try:
        asyncio.run(asyncio.wait_for(knock(address), PATIENCE))
    except Exception:
        raise ClusterError(f"No scheduler answers at {address}; `dask scheduler` starts one.") from None
    try:
        client: Any = Client(address, timeout=PATIENCE, set_as_default=False)  # type: ignore[no-untyped-call]
    except OSError:
        raise ClusterError(f"No scheduler answers at {address}; `dask scheduler` starts one.") from None
    except Exception as error:
        raise ClusterError(f"The cluster at {address} cannot be used: {in_a_line(error)}.") from None
    try:
        yield lambda function, tasks: as_done(client, function, tasks, say)
    finally:
        client.close()  # the scheduler forgets what was asked for


async def knock(address: str) -> None:
    """Greet a scheduler as Dask does; what answers otherwise is none. A client would wait for it for ever."""
    from distributed.comm.core import connect

    comm: Any = await connect(address, timeout=PATIENCE, **connection_arguments())  # type: ignore[no-untyped-call]
    comm.abort()


def connection_arguments() -> dict[str, Any]:
    """How Dask is configured to connect."""
    from distributed import Security

    security: Any = Security()  # type: ignore[no-untyped-call]
    arguments: dict[str, Any] = security.get_connection_args("client")
    return arguments


def has_certificates() -> bool:
    """Whether Dask is configured for connections by TLS."""
    try:
        return connection_arguments()["ssl_context"] is not None
    except OSError:
        return False  # they are named, and cannot be read


def as_done(client: Any, function: Callable[[Task], Result], tasks: Iterable[Task], say: Say) -> Iterator[Result]:
    """What a function makes of each task, as they are done; a window of tasks is handed out at a time."""
    from distributed import KilledWorker, as_completed

    left = iter(tasks)
    asked: dict[str, tuple[Task, int]] = {}
    done: Any = as_completed(loop=client.loop)  # type: ignore[no-untyped-call]

    def ask(task: Task, attempt: int) -> None:
        # named anew each time: what an earlier study left on the cluster is not taken for this one's
        future = client.submit(function, task, pure=False)
        asked[future.key] = task, attempt
        done.add(future)

    try:
        for task in islice(left, WINDOW):
            ask(task, 1)
        if asked and not client.nthreads():
            say("No worker is there yet; the study waits for one.")
        for future in done:
            task, attempt = asked.pop(future.key)
            try:
                result = future.result()
            except KilledWorker:
                if attempt == ATTEMPTS:
                    raise ClusterError("One block ended all workers that tried it; look at what they wrote.") from None
                ask(task, attempt + 1)
                continue
            except OSError as error:
                if future.status == "error":  # it is the task's, and not of the way to the scheduler
                    raise ClusterError(WORKER_FAILED.format(in_a_line(error))) from None
                raise
            yield result
            for task in islice(left, 1):
                ask(task, 1)
    except (OtherVersion, ClusterError):
        raise
    except (CancelledError, OSError):  # by whether it was waited for, or spoken to
        raise ClusterError("The scheduler has gone; start it and the same command again.") from None
    except Exception as error:
        raise ClusterError(WORKER_FAILED.format(in_a_line(error))) from None


def in_a_line(error: Exception) -> str:
    """An error as part of a sentence."""
    return " ".join(f"{type(error).__name__}: {error}".split())[:200].rstrip(" .:")
