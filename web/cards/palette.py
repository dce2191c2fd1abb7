"""The deck's colours by role, in three themes: classic (the default), high contrast, dark.

A drawing names a role (`ink("leaf")`) and gets `var(--card-leaf, <classic>)`: where no theme is set, as in a picture saved to disk, it
shows the classic deck. `variables_css` writes the variables; `web/static/cards.css` holds that text, and a test keeps them the same.
"""

from __future__ import annotations

from typing import NamedTuple

MONTHS = (
    "#369178", "#470A2C", "#E1ACC9", "#5B1EED", "#2C4D9D", "#C50145",
    "#522000", "#667499", "#EFA800", "#CC3E15", "#94BA61", "#C4A0EE",
)  # fmt: skip
"""Header band by month, 1 to 12, light and dark. Found by search: each two are at least 25 apart in CIE Lab (1976), as seen and with
deuteranopia and protanopia simulated (Machado 2009); neighbours also differ in lightness, for greyscale."""

CONTRAST_MONTHS = (
    "#59B582", "#47092C", "#E1ADCE", "#5B1EED", "#2C48A0", "#993449",
    "#471800", "#654F7D", "#EFA800", "#9C3715", "#93C365", "#C49EEE",
)  # fmt: skip
"""The bands in high contrast: as far apart, and 7 to 1 against their lettering."""

DARK_TEXT = "#141414"
LIGHT_TEXT = "#FFFFFF"
JOKER_TEXT = "#F4D35E"
LIGHT_MONTHS = frozenset({1, 3, 9, 11, 12})


class Tone(NamedTuple):
    """One role's colour in each theme."""

    classic: str
    contrast: str
    dark: str


TONES: dict[str, Tone] = {
    # the sheet: paper, its shade, lines drawn on it
    "paper": Tone("#FBF6EA", "#FFFFFF", "#1D2129"),
    "mist": Tone("#EADFC6", "#E6E6E6", "#2F3642"),
    "ink": Tone("#23201D", "#000000", "#EDE6D6"),
    # things that are black or white whatever the sheet is
    "sumi": Tone("#211F1F", "#000000", "#0C0E12"),
    "snow": Tone("#FFFFFF", "#FFFFFF", "#F4EEDF"),
    "pearl": Tone("#D9D4C8", "#BDBDBD", "#BDB7A8"),
    # woods and greens
    "bark": Tone("#5B4030", "#3A2213", "#8C6A52"),
    "bark-lit": Tone("#9C7B5E", "#8A6240", "#BB9674"),
    "leaf": Tone("#3D7A4A", "#1D5A2B", "#4E9660"),
    "leaf-lit": Tone("#86B57C", "#8CCB7C", "#9CCB92"),
    "leaf-dark": Tone("#22502F", "#0C3317", "#23502F"),
    # reds, golds, blues of the motifs
    "red": Tone("#C8102E", "#C00020", "#D93345"),
    "red-dark": Tone("#7E0A1E", "#5C0012", "#7C1523"),
    "gold": Tone("#C98A00", "#B87400", "#D79C1E"),
    "gold-lit": Tone("#F4D35E", "#FFD83D", "#F4D35E"),
    "gold-dark": Tone("#8A5A00", "#5E3C00", "#6E4A06"),
    "indigo": Tone("#23408E", "#0F2C86", "#3658B4"),
    "skin": Tone("#F3D9BF", "#F8DCC0", "#E9CDB0"),
    "water": Tone("#8FB3CF", "#5C93C0", "#557C9E"),
    "dusk": Tone("#B5342A", "#A81414", "#9E2C26"),
    "moon": Tone("#FBEBB0", "#FFF3B8", "#F6E6AC"),
    "storm": Tone("#2B2B33", "#0A0A0A", "#101218"),
    "storm-lit": Tone("#55566A", "#4A4A4A", "#3E4152"),
    "fur": Tone("#A5672B", "#8F4F14", "#B97A3C"),
    "fur-dark": Tone("#6B3A1E", "#4A2208", "#86512E"),
    "mane": Tone("#211F1F", "#000000", "#C2A68F"),
    "hide": Tone("#7B5A45", "#5E3F2C", "#95725A"),
    # each plant's own colour, its tint and its shade
    "p1": Tone("#2F8069", "#0F6B52", "#369178"),
    "t1": Tone("#A3D6C2", "#C2F0DE", "#B4E3D0"),
    "d1": Tone("#1B4F42", "#00382A", "#174238"),
    "p2": Tone("#5E1440", "#470A2C", "#9A3C70"),
    "t2": Tone("#D48BB2", "#FFB8DC", "#EDB1CF"),
    "d2": Tone("#2E061C", "#2E061C", "#4E1636"),
    "p3": Tone("#EDBDD5", "#F4B6D6", "#E1ACC9"),
    "t3": Tone("#FBE7F0", "#FFEAF5", "#F6DCE8"),
    "d3": Tone("#A4577F", "#82225A", "#8E4A6E"),
    "p4": Tone("#5B1EED", "#4A0EE0", "#7A4BF5"),
    "t4": Tone("#B69CFA", "#CDB9FF", "#C6B2FB"),
    "d4": Tone("#3A0FA3", "#28007E", "#4520A8"),
    "p5": Tone("#2C4D9D", "#163C9E", "#4D72CC"),
    "t5": Tone("#93ABE4", "#B7CBFF", "#AFC2F0"),
    "d5": Tone("#1A2F66", "#06205E", "#2F4C9C"),
    "p6": Tone("#C50145", "#C50145", "#D62862"),
    "t6": Tone("#F2A3BB", "#FFB3CB", "#F2A3BB"),
    "d6": Tone("#83002E", "#6A0025", "#7E0F36"),
    "p7": Tone("#522000", "#421900", "#98603B"),
    "t7": Tone("#C77F76", "#E08A80", "#D99A90"),
    "d7": Tone("#331300", "#260E00", "#593319"),
    "p8": Tone("#667499", "#4D5C86", "#7A88AE"),
    "t8": Tone("#C9D0E2", "#E3E9F7", "#C2CADF"),
    "d8": Tone("#3C4763", "#202B48", "#56638A"),
    "p9": Tone("#EFA800", "#EFA800", "#EFA800"),
    "t9": Tone("#FFDA73", "#FFE07F", "#FFDA73"),
    "d9": Tone("#8F5C00", "#6B4300", "#7A4E00"),
    "p10": Tone("#CC3E15", "#C23408", "#D64E26"),
    "t10": Tone("#F3A27E", "#FFB08A", "#F3A27E"),
    "d10": Tone("#86240A", "#6B1800", "#80260E"),
    "p11": Tone("#7DA648", "#5E9422", "#94BA61"),
    "t11": Tone("#CFE0B1", "#D6F0AE", "#D4E6B6"),
    "d11": Tone("#4C6B29", "#2F5008", "#54752F"),
    "p12": Tone("#B78CE8", "#B181EE", "#C4A0EE"),
    "t12": Tone("#E9DBFA", "#F0E4FF", "#E5D4F8"),
    "d12": Tone("#6A419E", "#491B86", "#6A419E"),
    # frame, band, back
    "frame-bright": Tone("#C98A00", "#B87400", "#D9A126"),
    "frame-animal": Tone("#222222", "#000000", "#EDE6D6"),
    "frame-plain": Tone("#8A857C", "#555555", "#7D828C"),
    "back": Tone("#7E1420", "#5C0010", "#5E131C"),
    "back-lit": Tone("#C2655F", "#E9A0A0", "#9C4A48"),
    **{f"m{i}": Tone(day, contrast, day) for i, (day, contrast) in enumerate(zip(MONTHS, CONTRAST_MONTHS, strict=True), 1)},
}


def ink(role: str) -> str:
    """The paint of a role, as a CSS variable with the classic colour to fall back on. KeyError for a role that is not there."""
    return f"var(--card-{role}, {TONES[role].classic})"


def band(month: int) -> str:
    """The role of a month's header colour, 1 to 12."""
    return f"m{month}"


def band_text(month: int) -> str:
    """The colour of what is written on a month's header: contrast at least 4.5 to 1, in high contrast 7 to 1."""
    return DARK_TEXT if month in LIGHT_MONTHS else LIGHT_TEXT


def variables_css() -> str:
    """The declarations of all roles as they stand in `web/static/cards.css`: by light and dark, then for high contrast."""
    by_scheme = [f"  --card-{role}: light-dark({tone.classic}, {tone.dark});" for role, tone in TONES.items()]
    strong = [f"  --card-{role}: {tone.contrast};" for role, tone in TONES.items()]
    wished = ["@media (prefers-contrast: more) {", "  :root {", *(f"  {line}" for line in strong), "  }", "}"]
    return "\n".join((":root {", *by_scheme, "}", "", '[data-cards="contrast"] {', *strong, "}", "", *wished))
