"""What the commands do that rank a corpus folder."""
