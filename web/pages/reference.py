"""Pages to look things up: rules, cards, the format, the API."""

from flask import abort, render_template

from analysis.findings import KINDS
from records.cards import CODES
from web.deck import suits
from web.language import _, chosen
from web.pages import blueprint
from web.rulebook import describe, list_variants


@blueprint.get("/rules")
def rules() -> str:
    """The games, one beside the other."""
    return render_template("rules.html", games=[describe(each["id"]) for each in list_variants()])


@blueprint.get("/rules/<variant>")
def rule(variant: str) -> str:
    """One game: cards and values, yaku, options with their sources, rule points."""
    try:
        game = describe(variant)
    except KeyError:
        abort(404, _("There is no game called %(name)s.", name=variant))
    return render_template("variant.html", game=game, others=list_variants())


@blueprint.get("/cards")
def deck() -> str:
    """The whole deck, month by month, and the jokers."""
    months = [CODES[4 * month : 4 * month + 4] for month in range(12)]
    return render_template("cards.html", months=months, jokers=CODES[48:], suits=suits(chosen()))


@blueprint.get("/format")
def format() -> str:
    """How a record is written, as text and as JSON."""
    return render_template("format.html", codes=KINDS)


@blueprint.get("/api")
def api() -> str:
    """What programs can ask the service."""
    return render_template("api.html")
