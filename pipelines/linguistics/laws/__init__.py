"""The quantitative laws of web text: distributions, their fits, and what they tell of templates (Kohlschütter 2011)."""
