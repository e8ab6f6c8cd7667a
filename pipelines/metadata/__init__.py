"""What a page says of itself: title, author, date and description, each with its source."""
