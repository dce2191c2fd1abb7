"""Many records out of files, folders, archives and streams; one that is bad does not stop the others."""

import gzip
import io
import json
import random
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import BinaryIO, cast

import pytest

from records.formats import Item, Limits, read_many, read_record
from tests.records.sheets import HIGOBANA, TEXT, sheet

ONE = json.dumps(HIGOBANA).encode()
PRETTY = json.dumps(HIGOBANA, indent=2).encode()
RECORD = read_record(HIGOBANA)


def read(data: bytes, name: str = "-", limits: Limits | None = None) -> list[Item]:
    return list(read_many(io.BytesIO(data), name=name, limits=limits or Limits()))


def codes(items: list[Item]) -> list[str]:
    return [item.errors[0].code if item.errors else "ok" for item in items]


def zipped(entries: dict[str, bytes], method: int = zipfile.ZIP_DEFLATED) -> bytes:
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w", method) as archive:
        for name, data in entries.items():
            archive.writestr(name, data)
    return made.getvalue()


def _nested() -> bytes:
    return zipped({"a.json": ONE, "inner.zip": zipped({"b.json": ONE}), "inner.json.gz": gzip.compress(ONE)})


def _encrypted() -> bytes:
    data = bytearray(zipped({"a.json": ONE}))
    data[data.index(b"PK\x01\x02") + 8] |= 1
    return bytes(data)


ARCHIVES: dict[str, Callable[[], list[Item]]] = {
    "cannot-open": lambda: list(read_many(Path("not there"))),
    "bad-archive": lambda: read(zipped({"a.json": ONE})[:-40]),
    "nested-archive": lambda: read(_nested())[1:],
    "archive-ratio": lambda: read(zipped({"a.json": b" " * 200_000 + ONE})),
    "archive-entries": lambda: read(zipped({f"{at}.json": ONE for at in range(4)}), limits=Limits(entries=3)),
}


@pytest.mark.parametrize("code", ARCHIVES)
def test_each_code_of_files(code: str) -> None:
    items = ARCHIVES[code]()
    assert codes(items)
    assert set(codes(items)) == {code}
    assert all(item.record is None and item.errors[0].detail for item in items)


@pytest.mark.parametrize("data", [ONE, ONE + b"\n", PRETTY, b"\xef\xbb\xbf" + ONE, TEXT.encode(), b"; a comment\n\n" + TEXT.encode()])
def test_a_file_with_one_record(data: bytes, tmp_path: Path) -> None:
    path = tmp_path / "game"
    path.write_bytes(data)
    items = list(read_many(path))
    assert codes(items) == ["ok"]
    assert items[0].position.startswith(str(path))
    assert read(gzip.compress(data), "game.gz")[0].record == items[0].record
    assert read(zipped({"game": data}), "z.zip")[0].position.startswith("z.zip/game")


def test_lines_of_json_and_a_bad_one_among_them() -> None:
    data = b"\n".join([ONE, b"", ONE[:100], ONE, b"noise", json.dumps(sheet(variant="go")).encode(), ONE])
    items = read(data, "many.jsonl")
    assert codes(items) == ["ok", "truncated", "ok", "not-a-record", "unknown-variant", "ok"]
    assert [item.position for item in items] == [f"many.jsonl, line {line}" for line in (1, 3, 4, 5, 6, 7)]
    assert items[1].errors[0].line == 3
    assert items[1].raw == ONE[:100] + b"\n" or items[1].raw == ONE[:100]
    assert [item.position for item in read(data)][:2] == ["line 1", "line 3"]


def test_objects_over_many_lines() -> None:
    items = read(PRETTY + b"\n" + PRETTY + b"\n" + ONE)
    assert codes(items) == ["ok"] * 3
    assert items[2].position == f"line {2 * (PRETTY.count(b'n') and len(PRETTY.splitlines())) + 1}"


def test_brackets_in_strings_do_not_mislead() -> None:
    odd = json.dumps(sheet(players__0__name='}{"[')).encode()
    assert codes(read(odd + b"\n" + ONE)) == ["ok", "ok"]
    assert codes(read(json.dumps(sheet(players__0__name="}"), indent=1).encode() + b"\n" + ONE)) == ["ok", "ok"]


def test_texts_with_a_bad_one_among_them() -> None:
    bad = TEXT.replace("3C 8B", "13C 8B").replace("played}", "played")
    items = read((TEXT + "\n" + bad + TEXT).encode(), "club.hrn")
    assert codes(items) == ["ok", "unknown-card", "ok"]
    assert [item.position for item in items] == ["club.hrn, line 1", "club.hrn, line 15", "club.hrn, line 28"]
    assert [(error.line, error.code) for error in items[1].errors] == [(24, "unknown-card"), (25, "unclosed-note")]


@pytest.mark.parametrize("between", ["", "\n", "\n\n", "\r\n"])
def test_empty_lines_between_texts_belong_to_none(between: str) -> None:
    text = TEXT if between != "\r\n" else TEXT.replace("\n", "\r\n")
    items = read(between.join([text] * 3).encode())
    assert [item.raw for item in items] == [text.encode()] * 3
    lines = text.count("\n") + between.count("\n")
    assert [item.position for item in items] == [f"line {1 + lines * place}" for place in range(3)]
    assert read((text * 2).rstrip().encode())[1].raw == text.rstrip().encode()


def test_a_text_that_comes_in_pieces() -> None:
    class Slow(io.RawIOBase):
        def __init__(self, data: bytes) -> None:
            self.rest = data

        def readable(self) -> bool:
            return True

        def read(self, size: int = -1) -> bytes:
            piece, self.rest = self.rest[:7], self.rest[7:]
            return piece

    for data in (TEXT * 3, (ONE + b"\n").decode() * 3):
        assert codes(list(read_many(cast(BinaryIO, Slow(data.encode()))))) == ["ok"] * 3


def test_zip_from_a_stream_that_cannot_go_back() -> None:
    class Pipe(io.BytesIO):
        def seekable(self) -> bool:
            return False

    data = zipped({"a.json": ONE, "b.hrn": TEXT.encode()})
    items = list(read_many(Pipe(data), name="up.zip"))
    assert [(item.position, bool(item.record)) for item in items] == [("up.zip/a.json", True), ("up.zip/b.hrn", True)]


def test_a_zip_goes_on_after_a_damaged_entry() -> None:
    data = bytearray(zipped({"a.json": ONE, "b.json": ONE, "c.json": ONE}, zipfile.ZIP_STORED))
    second = data.index(ONE, data.index(ONE) + 1)
    data[second + 30] ^= 1
    assert codes(read(bytes(data)))[::2] == ["ok", "ok"]
    assert len(read(bytes(data))) == 3
    assert codes(read(_encrypted())) == ["bad-archive"]


def test_names_in_an_archive_lead_nowhere(tmp_path: Path) -> None:
    items = read(zipped({"../../evil.json": ONE, "/etc/\npasswd.json": ONE, "C:\\x.json": ONE}), "a.zip")
    assert codes(items) == ["ok"] * 3
    assert all(item.position.isprintable() for item in items)
    assert list(tmp_path.iterdir()) == []


def test_other_files_in_archives_and_folders_are_passed_over(tmp_path: Path) -> None:
    entries = {"README.md": b"# games", "LICENSE": b"MIT", "10.json": ONE, "2.json": ONE, "notes.txt": TEXT.encode()}
    assert [item.position for item in read(zipped(entries), "a.zip")] == ["a.zip/10.json", "a.zip/2.json", "a.zip/notes.txt"]
    for name, data in entries.items():
        (tmp_path / name).write_bytes(data)
    (tmp_path / "more").mkdir()
    (tmp_path / "more" / "all.zip").write_bytes(zipped({"x.json": ONE}))
    (tmp_path / ".hidden.json").write_bytes(b"x")
    items = list(read_many(tmp_path))
    assert [item.position.removeprefix(f"{tmp_path}/") for item in items] == [
        "2.json",
        "10.json",
        "notes.txt",
        "more/all.zip/x.json",
    ]
    assert codes(items) == ["ok"] * 4


def test_nothing_to_read_is_said(tmp_path: Path) -> None:
    assert codes(read(b"")) == ["empty"]
    assert codes(read(b"  \n\n ")) == ["empty"]
    assert codes(read(zipped({"README.md": b"# nothing"}))) == ["empty"]
    assert codes(list(read_many(tmp_path))) == ["empty"]


@pytest.mark.parametrize("noise", [b"\x00\x01\x02noise" * 100, b"{" * 5000, b"[" * 5000, b'"' * 3000, b"\xff" * 999])
def test_noise_is_refused_and_the_process_goes_on(noise: bytes) -> None:
    items = read(noise)
    assert items
    assert all(item.record is None and item.errors for item in items)


def test_noise_gets_one_error_not_one_a_line() -> None:
    noise = random.Random(1).randbytes(300_000)
    for data in (noise, b"# notes\n\nto nobody\n" * 10_000, gzip.compress(noise), zipped({"noise.json": noise})):
        assert len(read(data)) == 1
    assert codes(read(b"noise\n" + ONE + b"\n" + ONE)) == ["not-a-record", "ok", "ok"]


def test_ten_megabytes_of_noise() -> None:
    for noise in (b"\x8f\x00{" * 3_500_000, b"{" * 10_000_000, b"[Format " * 1_200_000):
        items = read(noise)
        assert items
        assert not any(item.record for item in items)
        assert all(len(item.raw) <= 1_000_000 + 2 for item in items)


def test_a_record_too_large_is_passed_over() -> None:
    large = json.dumps(sheet(x_pad="a" * 3000)).encode()
    small = Limits(record=2000)
    assert codes(read(b"\n".join([ONE, large, ONE]), limits=small)) == ["ok", "too-large", "ok"]
    pretty = json.dumps(sheet(x_pad=["a" * 30] * 100), indent=1).encode()
    assert codes(read(b"\n".join([PRETTY, pretty, ONE]), limits=small)) == ["ok", "too-large", "ok"]
    noted = TEXT.replace("well", "w" * 3000)
    assert codes(read((TEXT + noted + TEXT).encode(), limits=small)) == ["ok", "too-large", "ok"]


def test_memory_stays_flat() -> None:
    """A stream of many records is never held: at no time are more than a few blocks of it read ahead."""
    taken = 0
    line = ONE + b"\n"

    class Endless(io.RawIOBase):
        def readable(self) -> bool:
            return True

        def read(self, size: int = -1) -> bytes:
            nonlocal taken
            start = taken % len(line)
            taken += size
            return (line * (size // len(line) + 2))[start : start + size]

    def some(stream: Iterator[Item], count: int) -> list[Item]:
        return [item for item, _ in zip(stream, range(count), strict=False)]

    items = some(read_many(cast(BinaryIO, Endless())), 5000)
    assert len(items) == 5000
    assert taken < 5000 * len(ONE) + (1 << 21)
