"""Options as people type them: ``key=value``, divided by commas or blanks, read by what the game itself says there is."""

import re
from difflib import get_close_matches

from records.games import game
from records.rules.game import OptionValue


def read_options(variant: str, text: str) -> dict[str, OptionValue]:
    """The options in a text, values in the type that the game gives them.

    Raises ValueError with a line for each that the game does not know, and KeyError for a variant that is none.
    """
    known = {option.id: option for option in game(variant).options}
    found: dict[str, OptionValue] = {}
    errors = []
    for part in filter(None, re.split(r"[,\s]+", text)):
        name, sign, value = part.partition("=")
        if not sign:
            errors.append(f"{part!r} is not of the form option=value")
        elif name not in known:
            errors.append(f"{variant} has no option {name!r}{_near(name, list(known))}")
        else:
            values = {_written(each): each for each in known[name].values}
            if value.lower() in values:
                found[name] = values[value.lower()]
            else:
                errors.append(f"option {name} has no value {value!r}; it has {', '.join(values)}{_near(value, list(values))}")
    if errors:
        raise ValueError("\n".join(errors))
    return found


def _written(value: OptionValue) -> str:
    return str(value).lower()


def _near(word: str, known: list[str]) -> str:
    near = get_close_matches(word, known, 1)
    return f" (did you mean {near[0]!r}?)" if near else ""
