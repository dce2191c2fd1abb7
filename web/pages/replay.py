"""The replay of a record, its transcript, and the frame for other pages.

The whole state of a replay is in its address: ``round``, ``step``, ``seat``, ``reveal`` (seen, open, all), ``result`` (hidden). An
``action`` instead of a step leads to that action's step.
"""

from typing import Any

from flask import Response, abort, jsonify, redirect, render_template, request, url_for
from werkzeug.wrappers import Response as AnyResponse

from web import deck, language, picture, sentences, words
from web.contexts import Json, StoredRecord, desk
from web.language import _
from web.pages import blueprint, sprite_address
from web.pages.audit import stored
from web.rulebook import describe

REVEALS = ("seen", "open", "all")


def _number(name: str, least: int, most: int, default: int) -> int:
    """A whole number out of the address. 400 where it is none, or too small or large."""
    text = request.args.get(name)
    if text is None:
        return default
    if not text.isdecimal() or not least <= int(text) <= most:
        abort(400, _("%(name)s must be a whole number from %(least)s to %(most)s.", name=name, least=least, most=most))
    return int(text)


def positions_of(kept: StoredRecord, round: int) -> Json:
    """One round's positions with a sentence a step and the landmarks, as the replay's script reads them."""
    found: Json = desk().positions(kept.id, round)["rounds"][0]
    tell = sentences.Teller(kept.record.variant, kept.record.players)
    for step in found["steps"]:
        step["says"] = tell.step(step)
    found["landmarks"] = sentences.landmarks(found["steps"])
    found["transcript"] = url_for("pages.transcript", id=kept.id, round=round)
    return found


def _view(kept: StoredRecord) -> dict[str, object]:
    """What the address asks to see."""
    rounds = len(kept.record.rounds)
    reveal = request.args.get("reveal", "seen")
    if reveal not in REVEALS:
        abort(400, _("reveal must be one of: %(values)s.", values=", ".join(REVEALS)))
    return {
        "round": _number("round", 1, rounds, 1),
        "step": _number("step", 0, 100_000, 0),
        "seat": _number("seat", 1, len(kept.record.players), 1),
        "reveal": reveal,
        "result": "hidden" if request.args.get("result") == "hidden" else "",
    }


def _show(id: str, template: str) -> str | AnyResponse:
    kept = stored(id)
    view = _view(kept)
    round = positions_of(kept, int(str(view["round"])))
    if "action" in request.args:
        action = _number("action", 0, 100_000, 0)
        keep: dict[str, Any] = {name: request.args[name] for name in ("seat", "reveal", "result") if name in request.args}
        step = step_of(round["steps"], action)
        return redirect(url_for(request.endpoint or "pages.replay", id=id, round=view["round"], step=step, **keep))
    view["step"] = min(int(str(view["step"])), len(round["steps"]) - 1)
    record = kept.record
    payload = {
        "id": kept.id,
        "variant": record.variant,
        "game": describe(record.variant)["name"],
        "players": list(record.players),
        "sides": record.sides,
        "rounds": len(record.rounds),
        "view": view,
        "round": round,
        "positions": url_for("pages.positions", id=kept.id),
        "picture": url_for("pages.position", id=kept.id),
        "frame": url_for("pages.embed", id=kept.id, _external=True),
        "sprite": sprite_address(),
        **deck.pictures(language.chosen()),
        "kinds": {letter: str(kind) for letter, kind in words.KINDS.items()},
        "parts": {part: str(name) for part, name in words.PARTS.items()},
        "yaku": sentences.yaku_names(record.variant),
        "rules": sentences.rule_texts(record.variant),
        "rulesPage": url_for("pages.rule", variant=record.variant),
        "levels": {level: str(text) for level, text in words.LEVELS.items()},
        "findings": sentences.finding_titles(),
        "words": sentences.script_words(),
    }
    return render_template(template, kept=kept, record=record, report=kept.report, view=view, payload=payload, round=round)


def step_of(steps: list[Json], action: int) -> int:
    """The step that shows an action best: where its finding is, else its first; the deal where the replay never came so far."""
    mine = [step for step in steps if step["action"] == action]
    for step in mine:
        if step["findings"]:
            return int(step["step"])
    if mine:
        return int(mine[0]["step"])
    return int(steps[-1]["step"]) if action else 0


@blueprint.get("/records/<id>/replay")
def replay(id: str) -> str | AnyResponse:
    """The replay page."""
    return _show(id, "replay.html")


@blueprint.get("/embed/records/<id>")
def embed(id: str) -> str | AnyResponse:
    """The replay for a frame in another page, with the same parameters."""
    return _show(id, "embed.html")


@blueprint.get("/records/<id>/position.svg")
def position(id: str) -> Response:
    """The position at a step as a picture, with the same parameters as the replay."""
    kept = stored(id)
    view = _view(kept)
    steps = positions_of(kept, int(str(view["round"])))["steps"]
    step = steps[min(int(str(view["step"])), len(steps) - 1)]
    record = kept.record
    heading = f"{', '.join(record.players)} · {_('Round %(number)s', number=view['round'])}"
    drawing = picture.position(step, record.players, record.sides, view, deck.suits(language.chosen()), heading)
    return Response(drawing, mimetype="image/svg+xml")


@blueprint.get("/records/<id>/positions")
def positions(id: str) -> Response:
    """One round as the replay's script reads it."""
    kept = stored(id)
    return jsonify(positions_of(kept, _number("round", 1, len(kept.record.rounds), 1)))


@blueprint.get("/records/<id>/transcript")
def transcript(id: str) -> str:
    """Every step of every round as a sentence, to read or to print."""
    kept = stored(id)
    asked = _number("round", 1, len(kept.record.rounds), 1) if "round" in request.args else None
    numbers = [asked] if asked else range(1, len(kept.record.rounds) + 1)
    rounds = [positions_of(kept, number) for number in numbers]
    return render_template("transcript.html", kept=kept, record=kept.record, report=kept.report, rounds=rounds, asked=asked)
