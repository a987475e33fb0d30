"""Studies on a Dask cluster: tasks distributed among its workers, with results as they complete."""

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

from .play import OtherVersion

Task = TypeVar("Task")
Result = TypeVar("Result")
Say = Callable[[str], object]

WINDOW = 1000  # tasks handed out at a time: more than any cluster has workers
ATTEMPTS = 3  # at a task whose workers die: the scheduler gives it up after a few deaths, and we submit it again
PATIENCE = 10  # seconds for the scheduler to answer
WORKER_FAILED = "A worker of the cluster failed: {}."


class ClusterError(Exception):
    """The cluster cannot be used; the message is one sentence."""


def check_address(address: str, trusted: bool) -> None:
    """Refuse an invalid address, and one on another machine unless that is trusted."""
    try:
        parts = urlsplit(address)
        host, port = parts.hostname, parts.port
    except ValueError:
        host = port = None
    if not host or not port or parts.scheme not in ("tcp", "tls"):
        raise ClusterError(f"The address of a cluster looks like tcp://127.0.0.1:8786, not {address!r:.60}.")
    if not trusted and not is_loopback(host):
        raise ClusterError(
            f"{host:.60} is not this machine, and a scheduler there can run code as you."
            " Add --trust-network if you trust it."
        )


def is_loopback(host: str) -> bool:
    """Whether a host is this machine, decided without a look-up."""
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


@contextmanager
def on_cluster(
    address: str, say: Say
) -> Iterator[Callable[[Callable[[Task], Result], Iterable[Task]], Iterator[Result]]]:
    """A function that distributes tasks among the workers of a cluster.

    Workers may die and come back, so tasks must be pure. `say` is called with a sentence when there is a wait.
    """
    try:
        from distributed import Client
    except ImportError as error:
        needed = f"This needs {error.name}; from a checkout, install it with: pip install '.[cluster]'"
        raise ClusterError(needed) from None
    for name in ("distributed", "distributed.client"):
        logging.getLogger(name).setLevel(logging.CRITICAL)  # errors are reported once, by us
    if address.startswith("tls:") and not has_certificates():
        raise ClusterError("A tls:// address needs certificates: set distributed.comm.tls in Dask's configuration.")
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
        yield lambda function, tasks: as_completed(client, function, tasks, say)
    finally:
        client.close()  # the scheduler drops what was submitted


async def knock(address: str) -> None:
    """Check that a scheduler answers with Dask's handshake; for anything else a client would wait for ever."""
    from distributed.comm.core import connect

    comm: Any = await connect(address, timeout=PATIENCE, **connection_arguments())  # type: ignore[no-untyped-call]
    comm.abort()


def connection_arguments() -> dict[str, Any]:
    """The arguments for a connection, from Dask's configuration."""
    from distributed import Security

    security: Any = Security()  # type: ignore[no-untyped-call]
    arguments: dict[str, Any] = security.get_connection_args("client")
    return arguments


def has_certificates() -> bool:
    """Whether Dask is configured for TLS."""
    try:
        return connection_arguments()["ssl_context"] is not None
    except OSError:
        return False  # they are configured, but cannot be read


def as_completed(client: Any, function: Callable[[Task], Result], tasks: Iterable[Task], say: Say) -> Iterator[Result]:
    """The result of each task as it completes; a window of tasks is handed out at a time."""
    import distributed

    left = iter(tasks)
    submitted: dict[str, tuple[Task, int]] = {}
    done: Any = distributed.as_completed(loop=client.loop)  # type: ignore[no-untyped-call]

    def submit(task: Task, attempt: int) -> None:
        # under a new key each time: a result that an earlier study left on the cluster must not be taken for this one
        future = client.submit(function, task, pure=False)
        submitted[future.key] = task, attempt
        done.add(future)

    try:
        for task in islice(left, WINDOW):
            submit(task, 1)
        if submitted and not client.nthreads():
            say("The cluster has no workers yet; waiting for one.")
        for future in done:
            task, attempt = submitted.pop(future.key)
            try:
                result = future.result()
            except distributed.KilledWorker:
                if attempt == ATTEMPTS:
                    raise ClusterError("One block killed every worker that tried it; look at their logs.") from None
                submit(task, attempt + 1)
                continue
            except OSError as error:
                if future.status == "error":  # raised by the task, not by the connection
                    raise ClusterError(WORKER_FAILED.format(in_a_line(error))) from None
                raise
            yield result
            for task in islice(left, 1):
                submit(task, 1)
    except (OtherVersion, ClusterError):
        raise
    except (CancelledError, OSError):  # while waiting for the scheduler, or talking to it
        raise ClusterError("The scheduler has stopped. Start it again and run the same command.") from None
    except Exception as error:
        raise ClusterError(WORKER_FAILED.format(in_a_line(error))) from None


def in_a_line(error: Exception) -> str:
    """An error as part of a sentence."""
    return " ".join(f"{type(error).__name__}: {error}".split())[:200].rstrip(" .:")
