"""Which engine runs: the compiled modules or the plain files."""

from records import engine


def kind() -> str:
    """``compiled`` or ``interpreted``."""
    return "interpreted" if str(engine.__file__).endswith(".py") else "compiled"
