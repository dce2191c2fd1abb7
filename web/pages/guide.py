"""The guides in `web/docs`: how the desk works, what findings mean, how the service is run and what it is guarded against, how a game is
added. Written in Markdown, in English, and shown as pages."""

import re
from functools import cache
from pathlib import Path
from typing import Final

from flask import abort, render_template
from markdown_it import MarkdownIt
from markupsafe import Markup

from web.language import _, _p
from web.pages import blueprint

FOLDER: Final = Path(__file__).parents[1] / "docs"


@blueprint.get("/guide")
def guides() -> str:
    """All guides, with their first sentences."""
    return render_template("guide.html", title=_("Guides"), guides=[(name, *_opening(name)) for name in names()], body=None)


@blueprint.get("/guide/<name>")
def guide(name: str) -> str:
    """One guide."""
    if name not in names():
        abort(404, _("There is no guide of that name."))
    return render_template("guide.html", title=_opening(name)[0], guides=[], body=_body(name))


@cache
def names() -> tuple[str, ...]:
    """The guides there are: the file names without their ending."""
    return tuple(sorted(file.stem for file in FOLDER.glob("*.md")))


@cache
def _opening(name: str) -> tuple[str, str]:
    """Heading and first paragraph."""
    heading, _blank, rest = (FOLDER / f"{name}.md").read_text(encoding="utf-8").partition("\n")
    first = rest.strip().split("\n\n", 1)[0].replace("\n", " ")
    return heading.lstrip("# ").strip(), re.sub(r"[*`]|\[(.*?)\]\(.*?\)", r"\1", first)


@cache
def _body(name: str) -> Markup:
    """A guide as HTML: no HTML of its own, headings with their anchors, wide parts that scroll by themselves."""
    reader = MarkdownIt("commonmark", {"html": False}).enable("table")
    tokens = reader.parse((FOLDER / f"{name}.md").read_text(encoding="utf-8"))
    for place, token in enumerate(tokens):
        if token.type == "heading_open":
            token.attrSet("id", re.sub(r"[^\w]+", "-", tokens[place + 1].content.lower()).strip("-"))
    html = reader.renderer.render(tokens, reader.options, {})
    html = html.replace("<table>", f'<div class="scroll-x" tabindex="0" role="group" aria-label="{_p("numbers", "Table")}"><table>')
    html = html.replace("</table>", "</table></div>").replace("<pre>", '<pre tabindex="0">')
    return Markup(html)
