"""``hanafu bench``: how fast it is here, held against other libraries."""

import json

import click


@click.group("bench")
def command() -> None:
    """Measure, in one run on one core. A ratio says more than a number: machines differ."""


@command.command("engine")
@click.option("--json", "as_json", is_flag=True, help="The result for programs.")
@click.option("--seed", type=int, default=1, show_default=True, help="The same seed makes the same games.")
@click.option(
    "--passes", type=click.IntRange(min=1), default=15, show_default=True, help="Passes over all games; medians are taken."
)
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
