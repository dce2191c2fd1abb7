"""``hanafu simulate``: random games for tests, for benches, for a first look."""

import random
import sys

import click

from records.rules.game import OptionValue


@click.command("simulate")
@click.option("--variant", required=True, help="The game, e.g. higobana.")
@click.option("--seats", type=int, help="How many play; by default as few as the game takes.")
@click.option("--games", type=click.IntRange(min=0), default=1, show_default=True, help="How many records to write.")
@click.option("--rounds", type=click.IntRange(min=1), default=1, show_default=True, help="Rounds in a record, where no --match says it.")
@click.option("--match", help="What ends a record: 'rounds 4', 'best_of 7', 'target 500', 'rounds 8 start 30'.")
@click.option("--seed", type=int, default=0, show_default=True, help="The same seed writes the same bytes.")
@click.option("--option", "options", multiple=True, metavar="KEY=VALUE", help="A house rule; as often as needed.")
@click.option("--sides", help="Who plays together, e.g. '1+3 2+4'.")
@click.option("--format", "form", type=click.Choice(["json", "text"]), default="json", show_default=True, help="One JSON a line, or text.")
@click.option("--faults", type=click.FloatRange(0, 1), default=0.0, help="Share of records with one planted fault, named in x_fault.")
@click.option("--scenario", help="Every round is of that kind; 'list' lists those of the table.")
@click.option("--piles", is_flag=True, help="Claim what each seat has captured, too.")
@click.option("--no-claims", is_flag=True, help="Claim nothing.")
def command(
    variant: str,
    seats: int | None,
    games: int,
    rounds: int,
    match: str | None,
    seed: int,
    options: tuple[str, ...],
    sides: str | None,
    form: str,
    faults: float,
    scenario: str | None,
    piles: bool,
    no_claims: bool,
) -> None:
    """Write random games, lawful and rightly claimed, to standard output; or with faults planted.

    Each fault is named in the record's key x_fault, with its code, round and action.
    """
    from itertools import islice

    from analysis.scenarios import scenarios
    from analysis.simulate import simulate
    from records.formats import to_json, to_text
    from records.record import Match
    from records.rules.game import Rules
    from service.jsons import dumps

    rules = _rules(variant, seats, options, sides)
    assert isinstance(rules, Rules)
    if scenario == "list":
        click.echo("\n".join(sorted(scenarios(rules))))
        return
    ending = _match(match)
    assert ending is None or isinstance(ending, Match)
    made = simulate(
        rules,
        random.Random(seed),
        rounds=rounds,
        match=ending,
        claims=not no_claims,
        piles=piles,
        scenario=None if scenario is None else _known(scenario, list(scenarios(rules))),
        faults=faults,
    )
    out = sys.stdout.buffer
    for number, record in enumerate(islice(made, games)):
        if form == "json":
            out.write(dumps(to_json(record)) + b"\n")
        else:
            out.write((("\n" if number else "") + to_text(record).rstrip("\n") + "\n").encode())
    out.flush()


def _rules(variant: str, seats: int | None, options: tuple[str, ...], sides: str | None) -> object:
    """The rules of the table. Raises click's errors for what the game does not know."""
    from records.games import GAMES, game
    from records.rules.game import Rules, Sides
    from service.options import read_options

    known = [one.id for one in GAMES]
    chosen = game(_known(variant, known, "--variant"))
    count = seats if seats is not None else len(sides.replace("+", " ").split()) if sides else chosen.seats[0]
    if count not in chosen.seats:
        raise click.BadParameter(f"{variant} is played with {', '.join(map(str, chosen.seats))} seats", param_hint="--seats")
    try:
        effective: dict[str, OptionValue] = read_options(variant, " ".join(options))
    except ValueError as error:
        raise click.BadParameter(str(error), param_hint="--option") from None
    partition: Sides | None = None
    if sides is not None:
        there = chosen.partitions.get(count, ())
        written = {" ".join("+".join(str(seat + 1) for seat in side) for side in one): one for one in there}
        partition = written[_known(" ".join(sides.split()), list(written), "--sides")]
    return Rules(chosen, effective, count, partition)


def _match(words: str | None) -> object:
    from records.record import Match

    if words is None:
        return None
    parts = words.split()
    numbers = [part for part in parts[1::2] if part.isascii() and part.isdigit()]
    right = len(parts) in (2, 4) and len(numbers) == len(parts) // 2 and parts[0] in ("rounds", "best_of", "target")
    if not right or (len(parts) == 4 and parts[2] != "start") or not int(numbers[0]):
        raise click.BadParameter(f"{words!r} is not like 'rounds 4', 'best_of 7', 'target 500', 'rounds 8 start 30'", param_hint="--match")
    return Match(parts[0], int(numbers[0]), int(numbers[1]) if len(numbers) == 2 else None)


def _known(word: str, known: list[str], hint: str = "--scenario") -> str:
    """The word, if it is one of the known ones."""
    from difflib import get_close_matches

    if word not in known:
        near = get_close_matches(word, known, 1)
        told = f"{word!r} is none of {', '.join(sorted(known))}" if known else f"{word!r}: this table has none"
        raise click.BadParameter(told + (f" (did you mean {near[0]!r}?)" if near else ""), param_hint=hint)
    return word
