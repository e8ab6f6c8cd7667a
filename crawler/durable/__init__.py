"""What makes a corpus folder survive a crash: atomic files, the journal, and shards sealed from it."""
