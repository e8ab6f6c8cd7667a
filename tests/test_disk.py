"""What a crawl says when its folder cannot be written."""

from __future__ import annotations

import errno
import os
import subprocess
import sys

import pytest

from tests.conftest import ROOT

END = "import sys; from crawler.disk import end_process; end_process('corpus', OSError(int(sys.argv[1]), sys.argv[2]))"


@pytest.mark.parametrize(
    ("number", "mend"),
    [
        (errno.ENOSPC, "make room on the disk and start again"),
        (errno.EMFILE, "raise the limit of open files (ulimit -n) and start again"),
        (errno.ENOENT, "leave the folder where it is while a crawl runs, and start again"),
    ],
)
def test_the_mend_is_that_of_the_error(number, mend):
    why = os.strerror(number)
    done = subprocess.run(
        [sys.executable, "-c", END, str(number), why],
        cwd=ROOT, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert (done.returncode, done.stderr) == (2, f"winnow: cannot write corpus ({why}); {mend}\n")
