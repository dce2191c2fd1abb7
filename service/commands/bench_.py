"""``hanafu bench``: how fast it is here, held against other libraries."""

import json
from pathlib import Path

import click


@click.group("bench")
def command() -> None:
    """Measure, in one run on one core. A ratio says more than a number: machines differ."""


@command.command("engine")
@click.option("--json", "as_json", is_flag=True, help="The result for programs.")
@click.option("--seed", type=int, default=1, show_default=True, help="The same seed makes the same games.")
@click.option("--passes", type=click.IntRange(min=1), default=15, show_default=True, help="Passes over all games; medians are taken.")
@click.option("--rounds", type=click.IntRange(min=1), help="Rounds of each of our games in a pass.")
def engine(as_json: bool, seed: int, passes: int, rounds: int | None) -> None:
    """From text and JSON to the verdict, beside python-chess and PokerKit (the extra [bench]) and orjson."""
    from service.bench import engine as bench
    from service.bench import table

    ways, words = bench.ways(seed, rounds or bench.ROUNDS)
    table.run(ways, passes)
    ratios = bench.ratios(ways)
    if as_json:
        click.echo(json.dumps(table.as_json("engine", ways, ratios, words), indent=1, ensure_ascii=False))
    else:
        table.show("engine", ways, ratios, words)


@command.command("import")
@click.option("--json", "as_json", is_flag=True, help="The result for programs.")
@click.option(
    "--records",
    "sizes",
    type=click.IntRange(min=1),
    multiple=True,
    default=(10_000,),
    show_default=True,
    help="Records of the archive; as often as sizes are to be compared.",
)
@click.option("--seed", type=int, default=1, show_default=True, help="The same seed makes the same games.")
@click.option("--faults", type=click.FloatRange(0, 1), default=0.0, show_default=True, help="The share that has a fault planted.")
@click.option("--form", "forms", type=click.Choice(["json", "text"]), multiple=True, help="As often as needed; else both.")
@click.option(
    "--workers",
    type=click.IntRange(min=0),
    multiple=True,
    default=(1, 2),
    show_default=True,
    help="Processes with which `hanafu import` takes the archive in as well; as often as numbers are to be compared. 0: it does not.",
)
@click.option("--chart", type=click.Path(dir_okay=False, path_type=Path), help="Draw cost against size into this file, an SVG.")
def import_(
    as_json: bool, sizes: tuple[int, ...], seed: int, faults: float, forms: tuple[str, ...], workers: tuple[int, ...], chart: Path | None
) -> None:
    """An archive taken into a new store, stage by stage, beside orjson and DuckDB alone; then by `hanafu import`, watched from outside.

    The archive is kept for the next time.
    """
    from service.bench import imports, table
    from service.bench.chart import draw
    from service.engine import kind

    results = []
    for records in sizes:
        for form in forms or ("json", "text"):
            result = imports.measure(records, seed, form, faults, [each for each in workers if each])
            results.append(result)
            if not as_json:
                click.echo(f"hanafu bench import: {form}, {records:,} records, {result.rounds:,} rounds, engine {kind()}\n")
                table.columns(imports.lines(result), "<><")
                click.echo()
    if chart is not None:
        draw(results, chart)
    if as_json:
        found = {"bench": "import", "engine": kind(), "results": [imports.as_dict(result) for result in results]}
        click.echo(json.dumps(found, indent=1, ensure_ascii=False))


@command.command("queries")
@click.option("--json", "as_json", is_flag=True, help="The result for programs.")
@click.option("--records", type=click.IntRange(min=1), default=10_000, show_default=True, help="Records of the archive.")
@click.option("--seed", type=int, default=1, show_default=True, help="The same seed makes the same games.")
@click.option("--beside", is_flag=True, help="Ask everything once more while an import runs.")
def queries(as_json: bool, records: int, seed: int, beside: bool) -> None:
    """Every chart and list over an archive, with every filter: on a store just opened, and asked again.

    At most 1500 different games are played and taken in; DuckDB writes their rows again and again, each time under another id, day, event
    and players, until there are enough.
    """
    from service.bench import queries as bench
    from service.bench import table

    asked = bench.measure(records, seed, beside)
    if as_json:
        click.echo(json.dumps({"bench": "queries", "records": records, "questions": [bench.as_dict(each) for each in asked]}, indent=1))
        return
    click.echo(f"hanafu bench queries: {records:,} records; milliseconds\n")
    heads = ("", "all records", "processor", "slowest", "with", "again", *(("importing", "again") if beside else ()))
    table.columns([heads, *bench.lines(asked)], "<>>><>" + (">>" if beside else ""))


@command.command("service")
@click.option("--json", "as_json", is_flag=True, help="The result for programs.")
@click.option("--stored", type=click.IntRange(min=1), default=1000, show_default=True, help="Games that the store holds at the start.")
@click.option("--seconds", type=click.FloatRange(min=0.1), default=5.0, show_default=True, help="How long each of seven stretches takes.")
@click.option("--seed", type=int, default=1, show_default=True, help="The same seed makes the same games.")
def service(as_json: bool, stored: int, seconds: float, seed: int) -> None:
    """A server on 127.0.0.1, and in another process its clients: records posted a second, pages and statistics, alone and together."""
    from service.bench import service as bench
    from service.bench import table
    from service.engine import kind

    result = bench.measure(stored, seed, seconds)
    if as_json:
        click.echo(json.dumps({"bench": "service", "engine": kind(), **bench.as_dict(result)}, indent=1))
        return
    click.echo(f"hanafu bench service: {stored:,} games stored, engine {kind()}; records of {bench.ROUNDS} rounds\n")
    table.columns(bench.lines(result), "<<>>>>>>")
    click.echo("\n" + "\n".join(f"memory {when}: {used / 1e6:,.0f} MB (PSS)" for when, used in result.memory.items() if used is not None))


@command.command("pages")
@click.option("--json", "as_json", is_flag=True, help="The result for programs.")
@click.option("--seed", type=int, default=1, show_default=True, help="The same seed makes the same games.")
def pages(as_json: bool, seed: int) -> None:
    """A replay in a browser (Chromium, the extra [test]): a step, another round, the page itself."""
    from service.bench import pages as bench
    from service.bench import table

    try:
        found = bench.measure(seed)
    except bench.Missing as missing:
        raise click.ClickException(str(missing)) from None
    if as_json:
        click.echo(json.dumps({"bench": "pages", "replays": [bench.as_dict(each) for each in found]}, indent=1))
        return
    click.echo(f"hanafu bench pages: replays of {bench.ROUNDS} rounds; milliseconds, the median and the longest\n")
    table.columns(bench.lines(found), "<<>>>>>>")
