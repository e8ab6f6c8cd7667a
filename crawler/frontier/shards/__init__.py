"""What the shards of a crawl give each other: links to hosts of others, and hosts that move."""
