"""The guides in `web/docs`: how the desk works, what findings mean, how the service is run and what it is guarded against, how a game is
added. Written in Markdown, in English, and shown as pages; what each is called and what stands in it is said in the visitor's language."""

import re
from functools import cache
from pathlib import Path
from typing import Final

from flask import abort, render_template
from markdown_it import MarkdownIt
from markupsafe import Markup

from web.language import SOURCE, _, _l, _p, chosen
from web.pages import blueprint

FOLDER: Final = Path(__file__).parents[1] / "docs"

GUIDES: Final = {
    "desk": (_l("The desk"), _l("How a dispute is opened, answered and ruled on, by ten examples.")),
    "findings": (_l("Findings"), _l("What each finding of an audit means, with its code and its rule.")),
    "operating": (_l("Operating"), _l("How the service is run, kept and watched: its commands, files and tables.")),
    "threat-model": (_l("What can go wrong, and what stands against it"), _l("What a public service is guarded against, and by what.")),
    "archive": (_l("An archive of games"), _l("How many records are taken in and given out at once.")),
    "adding-a-game": (_l("How to add a game"), _l("A game is one module of rules as data: what stands in it, and how it is tested.")),
    "speed": (_l("Speed"), _l("What was measured on which machine, and how to measure it on yours.")),
}
"""What each guide is called and what stands in it, in the order of the list."""


@blueprint.get("/guide")
def guides() -> str:
    """All guides, each in a sentence."""
    return render_template("guide.html", title=_("Guides"), guides=[(name, *GUIDES[name]) for name in names()], body=None)


@blueprint.get("/guide/<name>")
def guide(name: str) -> str:
    """One guide, in English; other visitors are told so."""
    if name not in names():
        abort(404, _("There is no guide of that name."))
    return render_template("guide.html", title=GUIDES[name][0], body=_body(name, chosen()), foreign=chosen() != SOURCE)


def names() -> tuple[str, ...]:
    """The guides there are: the file names without their ending."""
    return tuple(GUIDES)


@cache
def _body(name: str, lang: str) -> Markup:
    """A guide as HTML: no HTML of its own, headings with their anchors, wide parts that scroll by themselves. `lang`: of what is added."""
    reader = MarkdownIt("commonmark", {"html": False}).enable("table")
    tokens = reader.parse((FOLDER / f"{name}.md").read_text(encoding="utf-8"))
    for place, token in enumerate(tokens):
        if token.type == "heading_open":
            token.attrSet("id", re.sub(r"[^\w]+", "-", tokens[place + 1].content.lower()).strip("-"))
    html = reader.renderer.render(tokens, reader.options, {})
    html = html.replace('src="../static/', 'src="../assets/')  # where the pages' files are told apart from the sources'
    html = html.replace("<table>", f'<div class="scroll-x" tabindex="0" role="group" aria-label="{_p("numbers", "Table")}"><table>')
    html = html.replace("</table>", "</table></div>").replace("<pre>", '<pre tabindex="0">')
    return Markup(html)
