"""``hanafu verify``: whether an exported case is whole. Needs no server and no store."""

from pathlib import Path

import click

from service.commands.reading import UNREADABLE

TAMPERED_WITH = 1
"""Exit status where a part of a case was tampered with."""


@click.command("verify")
@click.argument("cases", nargs=-1, required=True, metavar="CASE.zip…", type=click.Path(path_type=Path))
@click.option("--json", "as_json", is_flag=True, help="Write one object a case and line: file, state, parts.")
@click.pass_context
def command(context: click.Context, cases: tuple[Path, ...], as_json: bool) -> None:
    """Check exported cases, without a server.

    Do record, report, rulings and log belong together, and does the report still come out of the record? An answer for each part: ok,
    tampered, or other engine, where the report was made by another version of the engine, which judges otherwise; that is no tampering.
    Exit status: 0 nothing was tampered with; 1 something was, and what; 2 a file is no case.
    """
    from service.casefile import OK, OTHER_ENGINE, TAMPERED, CaseUnreadable, check
    from service.jsons import dumps

    status = 0
    for path in cases:
        try:
            answers = check(path.read_bytes())
        except (CaseUnreadable, OSError) as error:
            click.echo(f"{path}: {error.strerror if isinstance(error, OSError) else error}", err=True)
            status = UNREADABLE
            continue
        states = [answer.state for answer in answers]
        state = next((worst for worst in (TAMPERED, OTHER_ENGINE) if worst in states), OK)
        if state == TAMPERED:
            status = max(status, TAMPERED_WITH)
        if as_json:
            parts = [{"part": answer.part, "state": answer.state, "text": answer.text} for answer in answers]
            click.echo(dumps({"file": str(path), "state": state, "parts": parts}))
            continue
        click.echo(f"{path}: {state}")
        width = max(len(answer.part) for answer in answers)
        for answer in answers:
            click.echo(f"  {answer.part:{width}}  {answer.state}: {answer.text}")
    context.exit(status)
