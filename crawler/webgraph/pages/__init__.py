"""The page table: from URLs to PageIds and back, in memory and in sealed runs."""
