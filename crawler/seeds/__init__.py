"""Seeds: (URL, category path) from ODP dumps, category lists and lists of URLs."""

from __future__ import annotations

from crawler.seeds.reader import SeedReader, check_seeds, read_seeds
from crawler.seeds.seed import Seed

__all__ = ["Seed", "SeedReader", "check_seeds", "read_seeds"]
