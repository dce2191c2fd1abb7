"""What the service counts, in the text form that Prometheus reads. Counted since the start of the process; nothing names a person."""

import threading
from bisect import bisect_left
from collections import Counter, defaultdict
from collections.abc import Iterator
from typing import Final

BUCKETS: Final = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0)
"""Upper ends of the buckets of answering times, in seconds."""

CONTENT_TYPE: Final = "text/plain; version=0.0.4; charset=utf-8"


class Metrics:
    """Requests answered: how many by route, method and status, and how long each route took. Safe to use from many threads."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._requests: Counter[tuple[str, str, int]] = Counter()
        self._buckets: dict[str, list[int]] = defaultdict(lambda: [0] * (len(BUCKETS) + 1))
        self._seconds: dict[str, float] = defaultdict(float)

    def answered(self, route: str, method: str, status: int, seconds: float) -> None:
        """Counts one request. `route` is the rule of the address, never the address itself."""
        with self._lock:
            self._requests[route, method, status] += 1
            self._buckets[route][bisect_left(BUCKETS, seconds)] += 1
            self._seconds[route] += seconds

    def lines(self, gauges: dict[str, tuple[str, float]], info: dict[str, str]) -> Iterator[str]:
        """All of it, with what is measured now (`gauges`: help and value by name) and what the process is (`info`)."""
        labels = ",".join(f'{name}="{_escaped(value)}"' for name, value in info.items())
        yield "# HELP hanafu_info What is running.\n# TYPE hanafu_info gauge\n"
        yield f"hanafu_info{{{labels}}} 1\n"
        for name, (text, value) in gauges.items():
            yield f"# HELP hanafu_{name} {text}\n# TYPE hanafu_{name} gauge\nhanafu_{name} {value:g}\n"
        with self._lock:
            requests, seconds = dict(self._requests), dict(self._seconds)
            buckets = {route: list(counts) for route, counts in self._buckets.items()}
        yield "# HELP hanafu_requests_total Requests answered.\n# TYPE hanafu_requests_total counter\n"
        for (route, method, status), count in sorted(requests.items()):
            yield f'hanafu_requests_total{{route="{_escaped(route)}",method="{method}",status="{status}"}} {count}\n'
        yield "# HELP hanafu_request_seconds Time to answer.\n# TYPE hanafu_request_seconds histogram\n"
        for route, counts in sorted(buckets.items()):
            label, so_far = f'route="{_escaped(route)}"', 0
            for end, count in zip((*map(str, BUCKETS), "+Inf"), counts, strict=True):
                so_far += count
                yield f'hanafu_request_seconds_bucket{{{label},le="{end}"}} {so_far}\n'
            yield f"hanafu_request_seconds_sum{{{label}}} {seconds[route]:.6f}\nhanafu_request_seconds_count{{{label}}} {so_far}\n"


def _escaped(value: str) -> str:
    return value.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
