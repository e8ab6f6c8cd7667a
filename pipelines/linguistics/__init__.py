"""Words of texts: language and quality, tokens and sentences, keywords and collocations; and the quantitative laws."""
