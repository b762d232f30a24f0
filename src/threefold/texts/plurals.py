"""The plural categories of the Unicode CLDR for the numbers that sentences contain, by language.

A test compares these rules with those of the browser (`Intl.PluralRules`), so a wrong or outdated rule fails. A number
with a fraction takes the category of CLDR's operands `i` (its whole part) and `v` (its number of decimals).
"""

from collections.abc import Callable

Number = int | float
PluralRule = Callable[[Number], str]
"""A number -> `zero`, `one`, `two`, `few`, `many` or `other`."""


def one_and_other(number: Number) -> str:
    """English, German, Dutch, Swedish, …"""
    return "one" if number == 1 else "other"


def spanish(number: Number) -> str:
    """Spanish: whole millions are `many`."""
    if number == 1:
        return "one"
    return "many" if number and number == int(number) and int(number) % 1_000_000 == 0 else "other"


def polish(number: Number) -> str:
    """Polish: 1, then 2 to 4 by the last digit without 12 to 14, then all other whole numbers."""
    if number != int(number):
        return "other"
    whole = abs(int(number))
    if whole == 1:
        return "one"
    return "few" if whole % 10 in {2, 3, 4} and whole % 100 not in {12, 13, 14} else "many"


def arabic(number: Number) -> str:
    """Arabic: 0, 1, 2, then by the last two digits."""
    if number in {0, 1, 2}:
        return ("zero", "one", "two")[int(number)]
    if number != int(number):
        return "other"
    rest = abs(int(number)) % 100
    return "few" if 3 <= rest <= 10 else "many" if rest >= 11 else "other"
