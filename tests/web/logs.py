"""Small logs made by hand for the tests of the pages. What is right and wrong in each is said beside it."""

UNLAWFUL = """\
[Format "hanafuda-record/1"]
[Variant "koi-koi"]
[Event "Tuesday table"]
[Date "2026-11-24"]
[Player1 "Leilani"]
[Player2 "Kimo"]

[Round "1"]
[Dealer "1"]
[Field "1B 2R 3C 5A 7R 8C 9R 12C"]
[Hand1 "3B 1C 4C 5C 6A 7A 9C 10C"]
[Hand2 "12B 2A 2C 4R 6C 8A 10A 11A"]
[DrawPile "4A 6R 7C 1R 1C 2C 3R 3C 4C 5R 5C 6C 7C 8B 8C 9A 9C 10R 10C 11B 11R 11C 12C 12C"]
3Bx3C 4A
12B 6R {Kimo leaves the phoenix beside the chaff}
6Ax6R 7Cx7R
4Rx4A 1Rx1B
abandoned
"""
"""Kimo plays 12B (action 2) while 12C lies on the field, and takes nothing: must-capture, CP-4. Nothing else is wrong; the round is broken
off after four turns. Leilani ends with 3B 3C 6A 6R 7R 7C, Kimo with 4A 4R 1B 1R; the field with 12B 12C 2R 5A 8C 9R."""

AGREED = """\
[Format "hanafuda-record/1"]
[Variant "koi-koi"]
[Date "2026-11-23"]
[Player1 "Noa"]
[Player2 "Kimo"]

[Round "1"]
[Dealer "1"]
[Scores "4 -4"]
abandoned
"""
"""Scores are claimed of a round that was broken off: it is incomplete."""

DISPUTED = """\
[Format "hanafuda-record/1"]
[Variant "koi-koi"]
[Date "2026-11-22"]
[Player1 "Malia"]
[Player2 "Pua"]

[Round "1"]
[Dealer "1"]
[Pile1 "1B 3B 8B 1C 3C 8C"]
[Pile2 "2A 2R 4A 4R"]
[Stopped "1"]
[Calls "0 0"]
[Scores "6 -6"]
[Totals "6 -6"]
"""
"""Malia stopped with Three Brights, 5 points (KK-4), and claims 6: the scores and the totals of both are disputed."""

BROKEN = """\
[Format "hanafuda-record/1"]
[Variant "koi-koi"]
[Player1 "Leilani"]
[Player2 "Kimo"]

[Round "1"]
[Dealer "1"]
[Field "1B 2R 3Q 5A 7R 8C 9R 12C"]
3Bx3C 4A
12Bx 99C
"""
"""Two words name no card: 3Q in line 8, column 15, and 99C in line 10, column 6."""
