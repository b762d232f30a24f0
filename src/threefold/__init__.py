"""Threefold: card games as rules engines, tables, bots and simulations."""

__version__ = "0.1.0"
