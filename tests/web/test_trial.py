"""A record under other house rules, tried by hand (AU-5)."""

from importlib import resources

from flask import Flask
from flask.testing import FlaskClient


def disputed(site: Flask) -> str:
    raw = (resources.files("service.samples") / "higobana-disputed.json").read_bytes()
    id: str = site.extensions["hanafu"].add(raw, "application/json", sample=True).id
    return id


def test_au_5_the_page_shows_what_another_option_changes(site: Flask, client: FlaskClient) -> None:
    """The sample claims scores with yaku added (HG-10): under `add` it is confirmed."""
    page = client.get(f"/records/{disputed(site)}/options?yaku_scoring=add").get_data(as_text=True)
    assert page.index("Disputed") < page.index("Confirmed")
    assert page.index("Under these") < page.index("<select")  # what one came for, before all the options
    assert "<code>yaku_scoring = add</code>" in page
    assert "Round 1" in page or "Round 2" in page or "Round 3" in page


def test_au_5_the_records_own_options_change_nothing(site: Flask, client: FlaskClient) -> None:
    page = client.get(f"/records/{disputed(site)}/options?yaku_scoring=by_table").get_data(as_text=True)
    assert "Nothing differs." in page


def test_au_5_the_audit_page_leads_there_with_the_source_of_the_value(site: Flask, client: FlaskClient) -> None:
    id = disputed(site)
    page = client.get(f"/records/{id}").get_data(as_text=True)
    assert f'href="/records/{id}/options?yaku_scoring=add"' in page


def test_au_5_options_are_tried_as_the_api_takes_them(site: Flask, client: FlaskClient) -> None:
    """One parameter, on the audit's own address too; the last of two values holds, as in the API."""
    id = disputed(site)
    found = client.get(f"/records/{id}?options=yaku_scoring=deduct,yaku_scoring=add", follow_redirects=True)
    assert found.request.path == f"/records/{id}/options"
    page = found.get_data(as_text=True)
    assert page.index("Disputed") < page.index("Confirmed")
    for wrong in ("yaku_scoring=ad", "yaku_scoring", "drinks=stacked"):
        assert client.get(f"/records/{id}/options?options={wrong}").status_code == 400


def test_a_value_that_the_option_does_not_have_is_refused(site: Flask, client: FlaskClient) -> None:
    assert client.get(f"/records/{disputed(site)}/options?yaku_scoring=ad").status_code == 400
