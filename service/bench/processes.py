"""What the system tells of processes: who came from whom, the memory they have, the time they have used."""

import os
from pathlib import Path


def family(pid: int) -> list[int]:
    """A process and all that come from it."""
    parents: dict[int, int] = {}
    for stat in Path("/proc").glob("[0-9]*/stat"):
        try:
            parents[int(stat.parent.name)] = int(stat.read_text().rpartition(")")[2].split()[1])
        except OSError:
            continue  # it has ended meanwhile
    members = [pid]
    for member in members:
        members += [child for child, parent in parents.items() if parent == member]
    return members


def proportional_set(process: int | str = "self") -> int | None:
    """Bytes of memory of a process, what it shares counted in shares; None where the system does not tell."""
    try:
        lines = Path(f"/proc/{process}/smaps_rollup").read_text().splitlines()
    except OSError:
        return None
    return next((int(line.split()[1]) * 1024 for line in lines if line.startswith("Pss:")), None)


def processor_of(pid: int) -> float | None:
    """Seconds of processor time that a process has used; None where the system does not tell."""
    try:
        told = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return None
    return (int(told[11]) + int(told[12])) / os.sysconf("SC_CLK_TCK")
