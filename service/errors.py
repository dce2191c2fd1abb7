"""What can go wrong between the product and the machine it runs on: the whole tree.

ServiceError
├── ConfigError      a setting that cannot be used
├── WorkError        other processes that were to share the work cannot, or are gone
└── StoreError       the store cannot do what was asked
    ├── StoreBusy    another process, or this one, holds the file
    ├── StoreNewer   the file was written by a newer version
    └── StoreBroken  the file cannot be read or written any more (disk full, not a store, read-only)

Each carries a sentence for people: what is wrong, with what, and what to do about it. What is wrong with a *record* is said by
`records.errors`.
"""


class ServiceError(Exception):
    """The machine, a file or a setting stands in the way."""


class ConfigError(ServiceError):
    """A setting that cannot be used; names the setting and where its value came from."""


class WorkError(ServiceError):
    """Worker processes, or a cluster, that cannot be had or are gone."""


class StoreError(ServiceError):
    """The store cannot do what was asked; nothing was half done."""


class StoreBusy(StoreError):
    """The file is held by another process, or is open in this one already."""


class StoreNewer(StoreError):
    """The file was written by a newer version of the product; it was not touched."""


class StoreBroken(StoreError):
    """The file cannot be opened, read or written."""
