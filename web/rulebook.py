"""The rules as data (`analysis.variants`) in the visitor's language."""

from typing import Any

from analysis import variants
from web.language import _, chosen

Json = dict[str, Any]


def list_variants() -> list[Json]:
    """Every variant in a few words."""
    return [each | _named(each) | {"text": _(each["text"])} for each in variants.list_variants()]


def describe(game_id: str) -> Json:
    """A variant whole. Raises KeyError for an id that no variant has."""
    found = variants.describe(game_id)
    return (
        found
        | _named(found)
        | {
            "text": _(found["text"]),
            "yaku": [yaku | _named(yaku) | {"text": _(yaku["text"])} for yaku in found["yaku"]],
            "options": [_option(option) for option in found["options"]],
            "rules": [_sourced(point) for point in found["rules"]],
        }
    )


def plain(text: str) -> str:
    """A text whose literal parts stand between backticks, for where no markup can stand: a choice of a list, a title."""
    return text.replace("`", "")


def _named(found: Json) -> Json:
    """Name and kanji. In Japanese the kanji are the name, and the romaji (a game's is its name) stand where the kanji stand elsewhere."""
    if chosen() == "ja" and found["kanji"]:
        return {"name": found["kanji"], "kanji": found.get("romaji", found["name"])}
    return {"name": _(found["name"]), "kanji": found["kanji"]}


def _option(found: Json) -> Json:
    return found | {"text": _(found["text"]), "values": [_sourced(choice) for choice in found["values"]]}


def _sourced(found: Json) -> Json:
    return found | {"text": _(found["text"]), "source": _(found["source"])}
