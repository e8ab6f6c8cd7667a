"""What blocks of a megabyte leave behind in the heap, with the extension and without it."""

from __future__ import annotations

import platform
import subprocess
import sys

import pytest

from tests.conftest import ROOT

# Bodies of a megabyte, and a small block that outlives them between every two: the heap cannot shrink.
CODE = """
import asyncio, re, sys
from pathlib import Path
from scrapy.utils.test import get_crawler
from crawler.extensions import freed_memory

def resident():
    return int(re.search(r"RssAnon:\\s*(\\d+)", Path("/proc/self/status").read_text())[1]) >> 10

async def main(switched_on):
    extension = freed_memory.FreedMemory.from_crawler(get_crawler())
    if switched_on:
        extension.spider_opened()
    before, kept = resident(), []
    for size in (2**20, 2**20 - 4096, 2**18 - 4096):
        bytes(2**24)  # freed, it raises the size from which glibc maps
        bodies = []
        for _ in range(100):
            bodies.append(b"x" * size)
            kept.append(b"y" * 2000)
        del bodies
    if switched_on:
        extension._trim()
        extension.spider_closed()
    print(resident() - before)

asyncio.run(main(sys.argv[1] == "1"))
"""


def grown_mib(*, switched_on):
    done = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", CODE, str(int(switched_on))],
        cwd=ROOT, capture_output=True, text=True, check=True,
    )  # fmt: skip
    return int(done.stdout)


@pytest.mark.slow
@pytest.mark.skipif(platform.libc_ver()[0] != "glibc", reason="the extension is for glibc")
def test_freed_bodies_go_back_to_the_system():
    assert grown_mib(switched_on=True) < 5
    assert grown_mib(switched_on=False) > 15


@pytest.mark.skipif(platform.libc_ver()[0] != "glibc", reason="the extension is for glibc")
def test_arrow_does_not_take_the_allocator_that_keeps_large_pages():
    code = (
        "import asyncio, pyarrow\n"
        "from scrapy.utils.test import get_crawler\n"
        "from crawler.extensions.freed_memory import FreedMemory\n"
        "async def main():\n"
        "    extension = FreedMemory.from_crawler(get_crawler())\n"
        "    extension.spider_opened()\n"
        "    extension.spider_closed()\n"
        "    print(pyarrow.default_memory_pool().backend_name)\n"
        "asyncio.run(main())\n"
    )
    done = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", code],
        cwd=ROOT, capture_output=True, text=True, check=True,
    )  # fmt: skip
    assert done.stdout.strip() in {"jemalloc", "system"}
