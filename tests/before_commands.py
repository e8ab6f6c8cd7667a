"""What the fork of a command is told before it: to kill itself at a step, to end at a connection, to heed a signal."""

from __future__ import annotations

import ctypes
import fcntl
import functools
import os
import signal
import struct
import sys
import termios

# The exit code of a process that opened a connection.
CONNECTED = 77


def heed(number: signal.Signals) -> None:
    """Have this process do by default what *number* says; it ignores that where the tests were told to."""
    signal.signal(number, signal.SIG_DFL if number != signal.SIGINT else signal.default_int_handler)


def own_terminal() -> None:
    """Make the terminal of its input that of this process, as a shell's is; it ends with that."""
    heed(signal.SIGHUP)
    os.setsid()
    fcntl.ioctl(0, termios.TIOCSCTTY, 0)


def kill_at_step(step: str, number: int = 1) -> None:
    """Have a crawl kill this process at the *number*-th time of *step*."""
    from crawler import scheduler

    times = 0

    def on_step(reached: str) -> None:
        nonlocal times
        times += reached == step
        if times == number:
            os.kill(os.getpid(), signal.SIGKILL)

    scheduler.CrawlStore = functools.partial(scheduler.CrawlStore, on_step=on_step)


def fail_in_the_frontier(number: int) -> None:
    """Have a crawl's frontier fail when it is asked for the *number*-th page."""
    from crawler import scheduler

    times, next_page = 0, scheduler.CrawlStore.next_page

    def failing(store: scheduler.CrawlStore, now: float) -> object:
        nonlocal times
        times += 1
        if times == number:
            raise IndexError("no such\nplace")
        return next_page(store, now)

    scheduler.CrawlStore.next_page = failing


def interrupt_at_the_making(number: signal.Signals = signal.SIGINT) -> None:
    """Have a crawl send itself *number* when it makes its crawler: no reactor runs yet."""
    from crawler.commands.crawl import Command

    def interrupted(command: Command, name: str) -> object:
        # Ignored by all that a shell starts in the background.
        signal.signal(signal.SIGINT, signal.default_int_handler)
        os.kill(os.getpid(), number)
        return super(Command, command)._create_crawler(name)

    Command._create_crawler = interrupted


def interrupt_at_the_opening() -> None:
    """Have a crawl send itself SIGINT when it opens its store: its engine does not run yet."""
    from crawler import scheduler

    open_store = scheduler.CrawlStore

    def interrupted(*parts: object, **options: object) -> object:
        os.kill(os.getpid(), signal.SIGINT)
        return open_store(*parts, **options)

    scheduler.CrawlStore = interrupted


def terminate_before_the_wait() -> None:
    """Have a shard send itself SIGTERM when it is about to wait for others, which keeps its reactor from hearing it."""
    from crawler import scheduler

    policy_of = scheduler.frontier_policy

    def terminated(*parts: object) -> object:
        os.kill(os.getpid(), signal.SIGTERM)
        return policy_of(*parts)

    scheduler.frontier_policy = terminated


def terminate_at_the_joining() -> None:
    """Have a shard send itself SIGTERM when others have joined, and it is to start itself again for them."""
    from crawler.shards import cluster_member

    start_again_later = cluster_member.start_again_later

    def terminated(shard: int) -> None:
        start_again_later(shard)
        os.kill(os.getpid(), signal.SIGTERM)

    cluster_member.start_again_later = terminated


def end_at_a_connection() -> None:
    """Have this process end as soon as it opens a connection or asks for an address."""

    def audit(event: str, _: object) -> None:
        if event in {"socket.connect", "socket.getaddrinfo", "socket.gethostbyname"}:
            os._exit(CONNECTED)

    sys.addaudithook(audit)


def signal_parent_at_step(step: str, number: signal.Signals = signal.SIGKILL) -> None:
    """Have the parent of a fleet send itself *number* at the first *step* of what it writes into the journals of
    all.
    """
    from crawler.durable import journals

    is_sent, parent = False, os.getpid()

    def on_step(reached: str) -> None:
        nonlocal is_sent
        if reached == step and not is_sent and os.getpid() == parent:
            is_sent = True
            os.kill(os.getpid(), number)

    journals.Journal.open_writer = functools.partial(journals.Journal.open_writer, on_step=on_step)


def interrupt_parent_at_the_end() -> None:
    """Have the parent of a fleet send itself SIGINT once it has told all processes that nothing is left to do."""
    from crawler.fleet.hub import Hub

    tell_all = Hub._tell_all

    def tell_and_interrupt(hub: Hub, *parts: object) -> None:
        tell_all(hub, *parts)
        if parts == ("over",):
            Hub._tell_all = tell_all
            os.kill(os.getpid(), signal.SIGINT)

    Hub._tell_all = tell_and_interrupt


def obey_modes() -> None:
    """Take from this process what lets root read files whose mode forbids it (capset(2), Linux)."""
    version, this_process, no_rights = 0x20080522, 0, (0,) * 6
    header, rights = struct.pack("Ii", version, this_process), struct.pack("6I", *no_rights)
    assert ctypes.CDLL(None, use_errno=True).capset(header, rights) == 0


def interrupt_the_closing_pass(number: int) -> None:
    """Have a crawl send itself SIGINT at the *number*-th step of what decides over its duplicates."""
    from pipelines.stages import deduplicate

    close_crawl = deduplicate.close_crawl

    def interrupted(corpus_dir, journals, *parts, **options):
        left = number

        def on_step(_: str) -> None:
            nonlocal left
            left -= 1
            if not left:
                os.kill(os.getpid(), signal.SIGINT)

        journals[0].on_step = on_step
        return close_crawl(corpus_dir, journals, *parts, **options)

    deduplicate.close_crawl = interrupted
