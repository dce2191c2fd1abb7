"""What was played, and was it lawful? Cards, records, rules, replay.

May import: the standard library without its clocks and its chance, and msgspec, librt, mypy_extensions, orjson, rfc8785;
marshmallow in `records.formats` alone. Of this project nothing but itself.
"""

__version__ = "0.2.0"
"""The version of the distribution, and the `engine` that reports name."""
