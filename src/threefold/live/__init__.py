"""Tables of people, without any transport. docs/architecture.md shows the path of a move through these modules.

A table is the fold of its log: `state.py` over `entries.py`. Requests come in through `mailbox.py`, are checked by
`acts.py`, and become entries; news goes out through `audience.py`.
"""
