"""Score sheets in CSV (AU-1): encodings, delimiters, columns, oddities, every error at its cell."""

from io import BytesIO
from pathlib import Path

import pytest

import web
from analysis.audit import audit
from records.errors import RecordErrors
from records.formats import SheetChoices, read_many, read_record, read_sheet, to_json
from records.formats.sheets import GUESSED_DEALER, decoded

HON_BANA = "# variant: hon-bana\nround;dealer;Aoi;Itsuki;Chiyo;Aoi points;Itsuki points;Chiyo points;Aoi yaku;Itsuki yaku;Chiyo yaku\n"


def rounds(text: str, **choices: object) -> list[dict[str, object]]:
    record = to_json(read_sheet(text.encode(), SheetChoices(**choices)))  # type: ignore[arg-type]  # the tests name them rightly
    found: list[dict[str, object]] = record["rounds"]
    return found


def errors(text: str | bytes, **choices: object) -> list[tuple[str, int | None, int | None, str | None]]:
    with pytest.raises(RecordErrors) as caught:
        read_sheet(text if isinstance(text, bytes) else text.encode(), SheetChoices(**choices))  # type: ignore[arg-type]  # as above
    return [(error.code, error.line, error.column, error.meant) for error in caught.value.errors]


def test_au_1_a_row_is_a_round_and_a_column_a_player() -> None:
    assert rounds(HON_BANA + "1;Aoi;4;-2;-2;120;90;90;;Two Drinks;\n") == [
        {"dealer": 1, "claims": {"points": [120, 90, 90], "yaku": [[], ["nihai"], []], "scores": [4, -2, -2]}}
    ]


def test_au_1_totals_stand_in_a_row_of_their_own() -> None:
    record = to_json(read_sheet((HON_BANA + "1;1;4;-2;-2;;;;;;\ntotal;;4;-2;-2;;;;;;\n").encode()))
    assert record["claims"] == {"totals": [4, -2, -2]}
    assert len(record["rounds"]) == 1


@pytest.mark.parametrize("divider", [",", ";", "\t"])
def test_au_1_columns_are_divided_by_comma_semicolon_or_tab(divider: str) -> None:
    text = "# variant: higobana\nround,Leilani,Kimo\n1,180,110\n".replace(",", divider)
    assert rounds(text)[0]["claims"] == {"scores": [180, 110]}


def test_au_1_a_comma_is_a_decimal_sign_where_columns_are_divided_otherwise() -> None:
    text = "# variant: bakabana\nround;A points;B points;C points;D points\n1;12,5;6;7.5;½\n"
    assert rounds(text)[0]["claims"] == {"points": [12.5, 6, 7.5, 0.5]}


@pytest.mark.parametrize(
    ("raw", "encoding"),
    [
        ("Aoi,Inês".encode(), "utf-8"),
        ("\ufeffAoi,Inês".encode(), "utf-8"),
        ("Aoi,Inês".encode("utf-16"), "utf-16"),
        ("Aoi,Inês".encode("latin-1"), "latin-1"),
        ("さちこ,大吾".encode("cp932"), "cp932"),
        # one full-width character alone, or one that touches a Latin letter, may as well be two accents of Latin-1
        ("親,大吾".encode("cp932"), "latin-1"),
        ("Aさちこ,大吾".encode("cp932"), "latin-1"),
        # half-width katakana are single bytes that Latin-1 knows too
        ("ｱｵｲ,ﾁﾖ".encode("cp932"), "latin-1"),
    ],
)
def test_au_1_the_encoding_is_guessed_and_told(raw: bytes, encoding: str) -> None:
    head = "# variant: higobana\n".encode("utf-16" if encoding == "utf-16" else "ascii")
    sheet = raw if encoding == "utf-16" else head + raw + b"\n1,2\n"
    text, guessed = decoded(sheet, None)
    assert guessed == encoding
    assert encoding == "latin-1" or "大吾" in text or "Inês" in text


def test_au_1_the_report_names_the_guess() -> None:
    record = read_sheet("# variant: higobana\nAoi;Inês\n1;2\n".encode("latin-1"))
    assert record.players == ("Aoi", "Inês")
    assert audit(record)["reading"] == {"encoding": "latin-1", "delimiter": ";", "notes": [GUESSED_DEALER]}


def test_a_wrong_guess_is_hinted_at() -> None:
    """A lone kanji looks like Latin-1; where that leads to errors, the other reading is named."""
    found = errors("# variant: higobana\n親,大吾\n1,2\n".encode("cp932"))
    assert found[-1] == ("not-utf8", 1, 1, None)


def test_au_1_an_encoding_can_be_said() -> None:
    sheet = "# variant: higobana\n親方,葵\n1,2\n".encode("cp932")
    assert read_sheet(sheet, SheetChoices(encoding="cp932")).players == ("親方", "葵")
    assert errors(sheet, encoding="utf-8")[0][0] == "not-utf8"


def test_au_1_options_and_variant_come_from_header_lines_or_from_outside() -> None:
    text = "# option: drinks=stacked tie=earliest\nAoi,Itsuki,Chiyo\n4,-2,-2\n"
    assert dict(read_sheet(text.encode(), SheetChoices(variant="hon-bana")).options) == {"drinks": "stacked", "tie": "earliest"}
    given = SheetChoices(variant="hon-bana", options={"drinks": "exclusive"})
    assert read_sheet(text.encode(), given).options["drinks"] == "exclusive"
    assert errors("Aoi,Itsuki,Chiyo\n4,-2,-2\n") == [("unknown-variant", 1, 1, None)]
    assert errors("# variant: hanbana\nAoi,Itsuki\n1,2\n") == [("unknown-variant", 1, 1, "hon-bana")]


def test_au_1_the_first_dealer_is_said_and_the_next_follow_by_the_rules() -> None:
    text = "# variant: higobana\nLeilani,Kimo\n180,110\n90,140\n"
    assert [each["dealer"] for each in rounds(text, dealer=2)] == [2, 1]
    # nobody said who dealt first: seat 1 is taken, and told
    record = read_sheet(text.encode())
    assert [each.dealer for each in record.rounds] == [1, 1]
    assert len(record.extra[""]["x_sheet"]["notes"]) == 1  # type: ignore[index]  # a mapping


def test_au_1_sides_have_a_column_each() -> None:
    text = "# variant: sakura\n# players: Mahina, Noa, Keola, Ikaika\nround,Mahina + Keola,Noa + Ikaika\n1,130,110\n"
    record = read_sheet(text.encode())
    assert record.players == ("Mahina", "Noa", "Keola", "Ikaika")
    assert record.sides == ((1, 3), (2, 4))


def test_au_1_a_match_an_event_and_notes_are_read() -> None:
    text = "# variant: koi-koi\n# match: rounds 8 start 30\n# event: Club\n# date: 2026-11-24\nround,Haru,Ren,note\n1,5,-5,lights out\n"
    record = to_json(read_sheet(text.encode()))
    assert record["match"] == {"type": "rounds", "rounds": 8, "start": 30}
    assert record["event"] == {"name": "Club", "date": "2026-11-24"}
    assert record["rounds"][0]["notes"] == {"0": "lights out"}


def test_au_1_oddities_are_told() -> None:
    text = "# variant: higobana\nround,Leilani,Kimo,sum\n1,(20),△10,\n2,,,\n3,−5,+15,\n"
    record = read_sheet(text.encode())
    notes = record.extra[""]["x_sheet"]["notes"]  # type: ignore[index]  # a mapping
    assert [each.claims.scores for each in record.rounds if each.claims] == [(-20, -10), (-5, 15)]
    assert len([note for note in notes if "line 3" in note]) == 2
    assert any("line 4" in note and "passed over" in note for note in notes)
    assert any("'sum'" in note for note in notes)


def test_every_error_of_a_sheet_is_told_at_its_cell() -> None:
    found = errors(HON_BANA + "1;Aio;4;x;-2;120;2.7;90;;Two Dirnks;\n2;1;4;;-2;;;;;;\n")
    assert found == [
        ("unknown-value", 3, 3, "Aoi"),
        ("not-half", 3, 9, None),
        ("not-half", 3, 18, None),
        ("unknown-yaku", 3, 26, "nihai"),
        ("missing-key", 4, 1, None),
    ]


@pytest.mark.parametrize(
    ("rest", "error"),
    [
        ("round,dealer,Aoi,Itsuki\n1,1,%s,0\n" % ("9" * 5_000), ("not-half", 3, 5)),
        ("round,dealer,Aoi,Itsuki\n1,%s,1,0\n" % ("9" * 5_000), ("unknown-value", 3, 3)),
        ("round,dealer,Aoi,Itsuki\n1,²,1,0\n", ("unknown-value", 3, 3)),
        ("# sides: %s+1\nround,dealer,Aoi,Itsuki\n1,1,1,0\n" % ("9" * 5_000), ("wrong-length", 3, 1)),
        ("round,dealer,Aoi,Itsuki\n1,1,%s,0\n" % ("9" * 140_000), ("too-long", 3, 1)),
        ("#%sx\nAoi,Itsuki\n1,b\n" % (" " * 90_000), ("not-half", 3, 1)),
        ("round,Aoi,Itsuki,Aoi yaku,Itsuki yaku\n1,1,0,a%sb,\n" % (" " * 90_000), ("unknown-yaku", 3, 7)),
    ],
    ids=["amount", "dealer", "superscript", "sides", "line", "comment", "yaku"],
)
def test_what_is_far_too_long_is_an_error_of_the_sheet_and_soon_told(rest: str, error: tuple[str, int, int]) -> None:
    """Python takes no more than 4,300 digits for a number, `csv` no more than 131,072 characters for a cell."""
    assert error in [told[:3] for told in errors("# variant: koi-koi\n" + rest)]


def test_a_dealer_that_is_no_number_is_not_known() -> None:
    record = read_sheet("# variant: koi-koi\n# dealer: ²\nAoi,Itsuki\n1,-1\n".encode())
    assert record.rounds[0].dealer == 1


def test_wrong_seats_are_told_at_the_row_of_names() -> None:
    assert [(code, line) for code, line, _, _ in errors("# variant: bakabana\nround,Sachi,Daigo\n1,5,-5\n")] == [("wrong-seats", 2)]


def test_a_sheet_without_rounds_or_rows_is_told() -> None:
    assert errors("# variant: higobana\n") == [("empty", 1, 1, None)]
    assert [code for code, *_ in errors("# variant: higobana\nLeilani,Kimo\n")] == ["empty"]


def test_names_that_end_like_a_role_stay_whole() -> None:
    """A player called Cards, or a name that ends in letters of a role, stays whole."""
    assert read_sheet(b"# variant: higobana\nCards,Ipts\n1,2\n").players == ("Cards", "Ipts")


def test_a_sheet_that_says_its_game_is_known_without_a_file_name() -> None:
    text = "round,Leilani,Kimo\n# variant: higobana\n1,180,110\n"
    for sent in (text.encode(), text, text.encode("utf-16"), b"\xef\xbb\xbf" + text.encode()):
        assert read_record(sent).players == ("Leilani", "Kimo")
    (item,) = read_many(BytesIO(text.encode()))
    assert item.record == read_record(text)


def test_text_records_are_no_sheets() -> None:
    """A comment or a note that holds the words does not make a sheet of a text record."""
    tags = ('Format "hanafuda-record/1"', 'Variant "higobana"', 'Player1 "A"', 'Player2 "B"', 'Round "1"', 'Dealer "1"', 'Scores "1 2"')
    text = "".join(f"[{tag}]\n" for tag in tags) + "{note\n# variant: x}\n"
    assert read_record(text).variant == "higobana"


def test_the_sheet_of_the_format_page_is_confirmed() -> None:
    """Round 2: Itsuki has most points, 2 from each, and Two Drinks, 2 from each (HN-8, HN-9)."""
    page = (Path(web.__file__).parent / "templates" / "format.html").read_text(encoding="utf-8")
    sheet = page[page.index("# variant: hon-bana") :].partition("</pre>")[0]
    told = audit(read_sheet(sheet.encode()))
    assert (told["verdict"], told["totals"], told["options"]["drinks"]) == ("confirmed", [0, 6, -6], "stacked")


def test_text_that_is_nothing_known_says_how_a_sheet_begins() -> None:
    with pytest.raises(RecordErrors) as caught:
        read_record("round;Aoi;Itsuki;Chiyo\n1;4;-2;-2\n")
    assert "# variant: …" in str(caught.value.errors[0].expected)
