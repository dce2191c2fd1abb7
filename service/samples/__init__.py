"""The sample records: every ``*.json`` in this folder and a generated season, so that a first start has something to see. They are marked
as samples and can be taken away by one button."""

from importlib import resources

from records.formats import read_record, to_json
from service.desk import Desk
from service.jsons import dumps
from service.samples.season import season


def load_samples(desk: Desk) -> int:
    """Stores those that are not there yet; returns how many that were."""
    files = sorted((f for f in resources.files("service.samples").iterdir() if f.name.endswith(".json")), key=lambda f: f.name)
    written = [(read_record(raw), raw) for raw in (f.read_bytes() for f in files)]
    played = [(record, dumps(to_json(record))) for record in season()]
    return sum(added.new for added in desk.add_read(played + written, sample=True))
