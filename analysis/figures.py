"""Each chart of `analysis.statistics` as a Plotly figure: data and layout as plain values.

One template for all; its colours are left to the page, which knows whether it is light or dark. Every mark carries in ``customdata`` the
index of its row, so that the page can lead from it to the records behind it. Words come from the caller, by key.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

Row = Mapping[str, Any]
Json = dict[str, Any]
Words = Mapping[str, str]
Drawn = tuple[list[Json], Json]
"""Data and layout."""

DASHES: Final = ("solid", "dash", "dot", "dashdot", "longdash", "longdashdot", "5px 2px 1px 2px")
"""Lines differ by dash, not by colour alone."""
PATTERNS: Final = ("", "/", ".", "x", "-", "|", "+")
"""Bars differ by pattern, not by colour alone."""
BARS: Final = 12
"""Values of options that the figure shows, at most, those that change most; the table has all."""

NAMES: Final[Json] = {"type": "category", "dtick": 1}
"""An axis of names: each is written, however many there are."""
DOWN: Final[Json] = NAMES | {"autorange": "reversed"}
"""Names down the side, the first on top."""

TEMPLATE: Final[Json] = {
    "layout": {
        "font": {"size": 14},
        "margin": {"l": 56, "r": 28, "t": 12, "b": 48},
        "hovermode": "closest",
        "legend": {"orientation": "h", "y": 1.02, "yanchor": "bottom", "x": 0, "traceorder": "normal"},
        "xaxis": {"automargin": True, "zeroline": False, "ticks": "outside", "showgrid": False},
        "yaxis": {"automargin": True, "zeroline": True, "showgrid": True, "title": {"standoff": 12}},
        "bargap": 0.35,
        "separators": ".\u202f",
    }
}
"""The one template; nothing of Plotly's own is used."""


def figure(name: str, rows: Sequence[Row], words: Words) -> Json:
    """The figure of a chart. `words` has the axes' titles and the legend's names by key. Raises KeyError for an unknown name."""
    data, layout = _FIGURES[name](rows, words)
    return {"data": data, "layout": {"template": TEMPLATE, **layout}}


def _axis(title: str, **more: Any) -> Json:
    return {"title": {"text": title}, **more}


UNDER_SCALE: Final[Json] = {"l": 56, "r": 28, "t": 76, "b": 48}
"""The margins of a figure that has a scale above its cells: it pushes nothing by itself."""


def _scale(title: str) -> Json:
    """What the colours mean, above the cells: beside them it would take half a phone's width. Without the empty line Plotly lays the title
    onto the colours."""
    return {
        "title": {"text": f"{title}<br> ", "side": "top", "font": {"size": 13}},
        "thickness": 10,
        "orientation": "h",
        "yref": "container",
        "y": 1,
        "yanchor": "top",
    }


def _indexes(rows: Sequence[Row], chosen: Callable[[Row], bool]) -> list[int]:
    return [index for index, row in enumerate(rows) if chosen(row)]


def _running(rows: Sequence[Row], words: Words) -> Drawn:
    data = []
    for number, player in enumerate(dict.fromkeys(row["player"] for row in rows)):
        mine = _indexes(rows, lambda row, player=player: row["player"] == player)  # type: ignore[misc]  # bound at once
        data.append(
            {
                "type": "scatter",
                "mode": "lines" if len(mine) > 60 else "lines+markers",
                "name": player,
                "x": [rows[index]["nth"] for index in mine],
                "y": [rows[index]["total"] for index in mine],
                "customdata": mine,
                "line": {"dash": DASHES[number % len(DASHES)], "width": 2.5, "shape": "hv"},
            }
        )
    return data, {"xaxis": _axis(words["round"]), "yaxis": _axis(words["total"])}


def _by_place(rows: Sequence[Row], words: Words) -> Drawn:
    labels = [words["after" if row["place"] else "dealer"].format(place=row["place"], seats=row["seats"]) for row in rows]
    known = [0 if row["low"] is None else row["high"] - row["mean"] for row in rows]
    data = [
        {
            "type": "scatter",
            "mode": "markers",
            "x": [row["mean"] for row in rows],
            "y": labels,
            "customdata": list(range(len(rows))),
            "error_x": {"type": "data", "array": known, "thickness": 2, "width": 6},
            "marker": {"size": 12},
            "showlegend": False,
        }
    ]
    return data, {
        "xaxis": _axis(words["mean"], zeroline=True, showgrid=True),
        "yaxis": DOWN,
    }


def _sources(rows: Sequence[Row], words: Words) -> Drawn:
    data = [
        {
            "type": "bar",
            "orientation": "h",
            "name": words[source],
            "y": [row["player"] for row in rows],
            "x": [row[source] for row in rows],
            "customdata": list(range(len(rows))),
            "marker": {"pattern": {"shape": PATTERNS[number]}},
        }
        for number, source in enumerate(("cards", "yaku_made", "yaku_paid", "other"))
    ]
    return data, {
        "barmode": "relative",
        "xaxis": _axis(words["per_round"], zeroline=True, showgrid=True),
        "yaxis": DOWN,
    }


def _places(rows: Sequence[Row], words: Words) -> Drawn:
    data = []
    for place in sorted({row["place"] for row in rows}):
        mine = _indexes(rows, lambda row, place=place: row["place"] == place)  # type: ignore[misc]  # bound at once
        data.append(
            {
                "type": "bar",
                "orientation": "h",
                "name": words["nth"].format(n=place),
                "y": [rows[index]["player"] for index in mine],
                "x": [rows[index]["share"] for index in mine],
                "customdata": mine,
                "marker": {"pattern": {"shape": PATTERNS[(place - 1) % len(PATTERNS)]}},
            }
        )
    return data, {
        "barmode": "stack",
        "xaxis": _axis(words["share"], range=[0, 100], ticksuffix=" %"),
        "yaxis": DOWN,
    }


def _bars(label: str, value: str, title: str) -> Callable[[Sequence[Row], Words], Drawn]:
    """Plain horizontal bars of one column."""

    def build(rows: Sequence[Row], words: Words) -> Drawn:
        data = [
            {
                "type": "bar",
                "orientation": "h",
                "y": [words.get(f"{label}:{row[label]}", str(row[label])) for row in rows],
                "x": [row[value] for row in rows],
                "customdata": list(range(len(rows))),
                "showlegend": False,
            }
        ]
        return data, {"xaxis": _axis(words[title], showgrid=True), "yaxis": DOWN}

    return build


def _pairs(rows: Sequence[Row], words: Words) -> Drawn:
    names = list(dict.fromkeys(row["player"] for row in rows))
    place = {(row["player"], row["opponent"]): index for index, row in enumerate(rows)}
    cells = [[place.get((player, opponent)) for opponent in names] for player in names]
    ahead = [[None if index is None else rows[index]["ahead"] for index in line] for line in cells]
    reach = max((abs(row["ahead"]) for row in rows), default=1) or 1
    data = [
        {
            "type": "heatmap",
            "x": names,
            "y": names,
            "z": ahead,
            "customdata": cells,
            "zmin": -reach,
            "zmax": reach,
            "xgap": 2,
            "ygap": 2,
            "texttemplate": "%{z:+.1f}",
            "colorbar": _scale(words["ahead"]),
        }
    ]
    return data, {
        "margin": UNDER_SCALE,
        "xaxis": _axis(words["opponent"], **NAMES),
        "yaxis": _axis(words["player"], **DOWN),
    }


def _boxes(label: str, least: str, most: str, title: str) -> Callable[[Sequence[Row], Words], Drawn]:
    """Boxes from quartiles that the query worked out."""

    def build(rows: Sequence[Row], words: Words) -> Drawn:
        data = [
            {
                "type": "box",
                "orientation": "h",
                "y": [words.get(f"{label}:{row[label]}", str(row[label])) for row in rows],
                "q1": [row["lower_quartile"] for row in rows],
                "median": [row["median"] for row in rows],
                "q3": [row["upper_quartile"] for row in rows],
                "lowerfence": [row[least] for row in rows],
                "upperfence": [row[most] for row in rows],
                "customdata": list(range(len(rows))),
                "showlegend": False,
            }
        ]
        return data, {"xaxis": _axis(words[title], showgrid=True), "yaxis": DOWN}

    return build


def _short(rows: Sequence[Row], words: Words) -> Drawn:
    labels = [words.get(f"yaku:{row['yaku']}", row["yaku"]) for row in rows]
    data: list[Json] = [
        {
            "type": "scatter",
            "mode": "markers",
            "name": words[column],
            "x": [row[column] for row in rows],
            "y": labels,
            "customdata": list(range(len(rows))),
            "marker": {"size": 12, "symbol": symbol},
        }
        for column, symbol in (("made", "circle"), ("one_short", "diamond-open"), ("conceded", "x-thin-open"))
    ]
    return data, {
        "xaxis": _axis(words["piles"], showgrid=True, rangemode="tozero", ticksuffix=" %"),
        "yaxis": DOWN | {"showgrid": True},
    }


def _captures(rows: Sequence[Row], words: Words) -> Drawn:
    months = list(range(1, 13))
    place = {row["card"]: index for index, row in enumerate(rows)}
    codes = {month: [row["card"] for row in rows if row["card"][:-1] == str(month)] for month in months}
    columns = range(max(len(found) for found in codes.values()))
    cells = [[place[codes[month][at]] if at < len(codes[month]) else None for month in months] for at in columns]
    more = [[None if index is None else rows[index]["share"] - rows[index]["expected"] for index in line] for line in cells]
    text = [["" if index is None else f"{rows[index]['card']}<br>{rows[index]['share']:.0f}%" for index in line] for line in cells]
    reach = max(abs(value) for line in more for value in line if value is not None) or 1
    data: list[Json] = [
        {
            "type": "heatmap",
            "x": months,
            "y": list(columns),
            "z": more,
            "text": text,
            "texttemplate": "%{text}",
            "customdata": cells,
            "zmin": -reach,
            "zmax": reach,
            "xgap": 2,
            "ygap": 2,
            "hoverongaps": False,
            "colorbar": _scale(words["above"]),
        }
    ]
    return data, {
        "margin": UNDER_SCALE,
        "xaxis": _axis(words["month"], **NAMES),
        "yaxis": {"autorange": "reversed", "showticklabels": False, "ticks": ""},
    }


def _lightning(rows: Sequence[Row], words: Words) -> Drawn:
    cards = list(dict.fromkeys(row["card"] for row in rows))
    turns = sorted({row["turn"] for row in rows})
    place = {(row["card"], row["turn"]): index for index, row in enumerate(rows)}
    cells = [[place.get((card, turn)) for turn in turns] for card in cards]
    data: list[Json] = [
        {
            "type": "heatmap",
            "x": turns,
            "y": cards,
            "z": [[None if index is None else rows[index]["n"] for index in line] for line in cells],
            "customdata": cells,
            "texttemplate": "%{z}",
            "zmin": 0,
            "xgap": 2,
            "ygap": 2,
            "hoverongaps": False,
            "showscale": False,
        }
    ]
    return data, {
        "xaxis": _axis(words["turn"], **NAMES),
        "yaxis": _axis(words["took"], **DOWN),
    }


def _causes(rows: Sequence[Row], words: Words) -> Drawn:
    bars = {
        "type": "bar",
        "name": words["count"],
        "x": [row["code"] for row in rows],
        "y": [row["n"] for row in rows],
        "customdata": list(range(len(rows))),
    }
    line = {
        "type": "scatter",
        "mode": "lines+markers",
        "name": words["together"],
        "x": [row["code"] for row in rows],
        "y": [row["together"] for row in rows],
        "yaxis": "y2",
        "customdata": list(range(len(rows))),
    }
    whole: Json = {"rangemode": "tozero"} | ({"dtick": 1} if max(row["n"] for row in rows) <= 5 else {})
    second = {
        "overlaying": "y",
        "side": "right",
        "range": [0, 105],
        "tickvals": [0, 20, 40, 60, 80, 100],
        "ticktext": ["0 %", "20 %", "40 %", "60 %", "80 %", "100 %"],
        "showgrid": False,
        "automargin": True,
    }
    return [bars, line], {
        "xaxis": {"type": "category", "tickangle": -35},
        "yaxis": _axis(words["count"], **whole),
        "yaxis2": second,
    }


def _two_bars(labels: Sequence[str], rows: Sequence[Row], words: Words, columns: tuple[str, str], mode: str, axis: Json) -> Drawn:
    """Two bars a row: `columns` say which, `mode` whether they lie on or beside each other."""
    data = [
        {
            "type": "bar",
            "orientation": "h",
            "name": words[column],
            "y": list(labels),
            "x": [row[column] for row in rows],
            "customdata": list(range(len(rows))),
            "marker": {"pattern": {"shape": PATTERNS[number]}},
        }
        for number, column in enumerate(columns)
    ]
    return data, {"barmode": mode, "xaxis": axis, "yaxis": DOWN}


def _hand_and_draw(rows: Sequence[Row], words: Words) -> Drawn:
    return _two_bars(_players(rows), rows, words, ("from_hand", "from_draw"), "stack", _axis(words["per_round"], showgrid=True))


def _overlooked(rows: Sequence[Row], words: Words) -> Drawn:
    axis = _axis(words["in_100"], showgrid=True, rangemode="tozero")
    return _two_bars(_players(rows), rows, words, ("gifted", "missed"), "group", axis)


def _options(rows: Sequence[Row], words: Words) -> Drawn:
    shown = [row for row in rows if row["changed"]][:BARS] or rows[:1]
    labels = [f"{row['option']} =<br>{row['value']}" for row in shown]
    axis = _axis(words["in_rounds"], showgrid=True, rangemode="tozero", ticksuffix=" %")
    return _two_bars(labels, shown, words, ("changed", "other_winner"), "group", axis)


def _players(rows: Sequence[Row]) -> list[str]:
    return [row["player"] for row in rows]


def _disputes(rows: Sequence[Row], words: Words) -> Drawn:
    data: list[Json] = [
        {
            "type": "bar",
            "orientation": "h",
            "name": words[name],
            "y": [words.get(f"claim:{row['claim']}", row["claim"]) for row in rows],
            "x": [row[column] for row in rows],
            "customdata": list(range(len(rows))),
            "marker": {"pattern": {"shape": PATTERNS[number]}},
        }
        for number, (column, name) in enumerate((("n", "opened"), ("ruled", "ruled")))
    ]
    hours = [row["median_hours"] for row in rows]
    data[1] |= {
        "text": ["" if each is None else each for each in hours],
        "texttemplate": ["" if each is None else words["within"] for each in hours],
        "textposition": "auto",
    }
    most = max(row["n"] for row in rows)
    return data, {
        "barmode": "group",
        "xaxis": _axis(words["disputes"], showgrid=True, rangemode="tozero", **({"dtick": 1} if most <= 5 else {})),
        "yaxis": DOWN,
    }


FEW: Final = 6
"""Below so many records a day Plotly would mark halves of them."""


def _calendar(rows: Sequence[Row], words: Words) -> Drawn:
    data = [
        {
            "type": "bar",
            "x": [row["day"] for row in rows],
            "y": [row["n"] for row in rows],
            "customdata": list(range(len(rows))),
            "showlegend": False,
        }
    ]
    # A day at the right edge needs half its width beyond. Where there is no room side by side days lie aslant, and rise to their marks.
    return data, {
        "margin": {"r": 44},
        "xaxis": {"type": "date", "autotickangles": [0, -45, -90]},
        "yaxis": _axis(words["records"], rangemode="tozero", **({"dtick": 1} if max(row["n"] for row in rows) < FEW else {})),
    }


_FIGURES: Final[Mapping[str, Callable[[Sequence[Row], Words], Drawn]]] = {
    "running": _running,
    "by-place": _by_place,
    "sources": _sources,
    "places": _places,
    "yaku": _bars("yaku", "per_100", "per_100"),
    "short": _short,
    "captures": _captures,
    "lightning": _lightning,
    "pairs": _pairs,
    "spread": _boxes("player", "least", "most", "score"),
    "causes": _causes,
    "hand-and-draw": _hand_and_draw,
    "when-made": _boxes("yaku", "earliest", "latest", "action"),
    "overlooked": _overlooked,
    "disputes": _disputes,
    "options": _options,
    "calendar": _calendar,
}
