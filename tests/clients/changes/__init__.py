"""Stories of changes, one file a family of operations; `STORIES` in each lists them with their regions.

A story is what `twins.py` says. What it asserts itself is what no model can say: that the change happened.
"""
