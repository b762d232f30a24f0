"""A table of people: who sits where, what was played, whose clock runs. Knows no transport and no database.

A table is the fold of its log (`sitting.py` over `entries.py`). What people ask for is checked by `acts.py`, made
durable and told to all by `session.py`; `clock.py` says what is due when. Time, store and bots come from outside.
"""
