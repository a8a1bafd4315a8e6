"""renyi.release: what is published, what is paid, what is refused."""

import json
import pickle

import numpy as np
import pytest

import renyi
from renyi import Budget, Ledger

VISITS = {"value": 1017, "integer": True, "max_records": 1, "max_per_record": 1}
HOURS = {"bins": ["day", "night"], "values": [12.5, np.float64(80)], "l2_sensitivity": 2}


def draws():
    try:
        renyi.noise.discrete_gaussian(0, stddev=1)
        return True
    except renyi.Unsupported:
        return False


pytestmark = pytest.mark.skipif(not draws(), reason="built without certified arithmetic")


@pytest.fixture
def ledger(tmp_path):
    made = Ledger.create(tmp_path / "test.ledger")
    made.add_scope("clinic", Budget.zcdp(0.25))
    return made


def publish(ledger, values=None, key="november", **terms):
    values = {"visits": VISITS, "hours": HOURS} if values is None else values
    return renyi.release(values, ledger=ledger, scope="clinic", key=key, person="mira", **(terms or {"rho": 0.1}))


def test_what_is_released_is_paid_for_and_stored(ledger, tmp_path):
    released = publish(ledger)
    visits, hours = released.statistics
    assert visits == released["visits"] and len(released) == 2 and not released.repeated
    assert isinstance(visits.value, int) and visits.interval[0] < visits.value < visits.interval[1]
    assert [one.bin for one in hours] == ["day", "night"] and hours.mechanism == "gaussian"
    assert all(one.lower < one.value < one.upper for one in hours)
    assert abs(visits.value - 1017) < 20 * visits.standard_error
    with pytest.raises(AttributeError, match="histogram"):
        hours.value
    assert released.rho == pytest.approx(0.1, rel=1e-4) and released.rho <= 0.1
    assert released.epsilon is None and released.delta is None
    assert [step.name for step in released.plan.steps] == ["visits", "hours"]
    opened = list(ledger.history())[released.payment["entry"]]
    assert opened.verb == "open" and opened.hash == released.payment["hash"]
    assert ledger.scope("clinic").balances[0].spent == pytest.approx(0.1, rel=1e-4)
    assert ledger.output(released.payment["ticket"]) == released.to_json().encode()
    released.write(tmp_path / "out.json")
    assert (tmp_path / "out.json").read_text(encoding="utf-8") == released.to_json()
    assert json.loads(released.to_json()) == released.to_dict()
    assert [row[0] for row in released._table().rows] == ["visits", "hours", "hours"]
    assert pickle.loads(pickle.dumps(released)) == released
    assert "paid by clinic, entry 3" in repr(released) and "<table" in released._repr_html_()
    assert ledger.verify()


def test_the_range_is_stated_and_does_not_depend_on_the_values(ledger):
    ages = {"bins": ["0-64", "65+"], "values": [3, 4], "integer": True, "max_bins": 1, "max_per_bin": 1}
    terms = {"rho": 0.01, "ledger": None}

    def released(value):
        hours = {**HOURS, "values": [value, value], "expected_lowest": 0, "expected_highest": 1e14}
        with pytest.warns(renyi.PrivacyWarning):
            return renyi.release({"ages": ages, "hours": hours}, **terms)

    usual, beyond = released(1), released(float("inf"))
    assert usual["ages"].range == (-(2**63), 2**63 - 1) and usual["hours"].range == (-(2.0**47), 2.0**47)
    assert [one.range for one in usual] == [one.range for one in beyond]
    table = usual._table()
    assert table.header[-2:] == ("range_lower", "range_upper") and table.rows[-1][-2:] == usual["hours"].range
    for without in (usual.to_dict(), beyond.to_dict()):
        assert without.pop("beyond_range").startswith("Values beyond the range of a statistic count as the nearer end")
    before = len(list(ledger.history()))
    with pytest.raises(renyi.InvalidArgument, match="expected_highest"):
        publish(ledger, {"hours": {**HOURS, "expected_lowest": 0, "expected_highest": 1e20}})
    assert len(list(ledger.history())) == before


def test_documents_without_ranges_are_read():
    hours = {"value": 80, "l2_sensitivity": 2}
    with pytest.warns(renyi.PrivacyWarning):
        document = renyi.release({"hours": hours}, ledger=None, rho=0.01).to_dict()
    del document["beyond_range"], document["statistics"][0]["range"]
    earlier = renyi.Release(json.dumps(document), False)
    assert earlier["hours"].range is None and earlier._table().rows[0][-2:] == (None, None)


def test_a_key_is_paid_for_once_whatever_the_values(ledger):
    first = publish(ledger)
    again = publish(ledger, {"visits": {**VISITS, "value": 0}, "hours": HOURS})
    assert again.repeated and again == first and len(list(ledger.history())) == 5
    with pytest.raises(renyi.InvalidArgument, match="another key"):
        publish(ledger, rho=0.05)


def test_refusals_say_what_would_fit_and_draw_nothing(ledger):
    publish(ledger)
    publish(ledger, key="december")
    with pytest.raises(renyi.BudgetExceeded) as refused:
        publish(ledger, key="january")
    assert refused.value.receipt.refused_by == "clinic"
    assert refused.value.fitting_step.value == pytest.approx(2**0.5, abs=3e-3)
    assert publish(ledger, key="february", rho=0.1 / refused.value.fitting_step.value**2)


def test_what_was_opened_stays_spent(ledger):
    released = publish(ledger)
    # As a process that was killed after it had opened the charge.
    reserve = list(ledger.history())[2]
    said = {"person": "mira", "comment": reserve.request["comment"]}
    ticket = ledger.reserve("clinic", released.plan, key="december:reserve", expires_in=600, **said)
    ledger.open(ticket.number, ticket.secret, key="december:open", person="mira")
    with pytest.raises(renyi.AlreadyOpened) as spent:
        publish(ledger, key="december")
    assert spent.value.output is None and spent.value.receipt.ticket == ticket.number
    ledger.reserve("clinic", renyi.Gaussian(100), key="other:reserve", expires_in=600, **said)
    with pytest.raises(renyi.InvalidArgument, match="key"):
        publish(ledger, key="other")


COLUMNS = {
    "name": ["visits", "day", "night"],
    "value": [1017, 12.5, np.nan],
    "histogram": ["", "hours", "hours"],
    "integer": [True, None, None],
    "max_records": [1, np.nan, np.nan],
    "max_per_record": [1, None, None],
    "l2_sensitivity": [None, 2, None],
}


class Frame:
    """As much of a data frame as is used of it."""

    columns = list(COLUMNS)

    def to_dict(self, orient):
        assert orient == "records"
        return [dict(zip(COLUMNS, row)) for row in zip(*COLUMNS.values())]


def test_a_frame_of_pandas(ledger):
    pandas = pytest.importorskip("pandas")
    released = publish(ledger, pandas.DataFrame(COLUMNS))
    assert publish(ledger).repeated and list(released.to_frame()["bin"]) == ["", "day", "night"]


def test_values_in_other_forms(ledger):
    rows = [{"name": "visits", **VISITS}, {"name": "hours", **HOURS, "values": [12.5, 80.0]}]
    document = {"renyi-release": 1, "budget": {"epsilon": 1, "delta": 1e-6}, "statistics": rows}
    released = publish(ledger)
    for values in (Frame(), rows, document, json.dumps(document)):
        assert publish(ledger, values) == released
    for values in ("{", "[]", 7, [7], {"visits": 7}, {"visits": {"value": object()}}):
        with pytest.raises(renyi.InvalidArgument, match="values"):
            publish(ledger, values)
    with pytest.raises(renyi.InvalidArgument, match="max_bins"):
        publish(ledger, {"visits": {**VISITS, "max_bins": 1}}, key="other")
    assert len(list(ledger.history())) == 5


def test_without_a_ledger_it_warns():
    with pytest.warns(renyi.PrivacyWarning, match="no ledger"):
        released = renyi.release({"visits": VISITS}, ledger=None, epsilon=1, delta=1e-6)
    assert released.payment is None and released.epsilon <= 1 and released.delta == 1e-6
    with pytest.raises(renyi.InvalidArgument, match="ledger"):
        renyi.release({"visits": VISITS}, ledger=None, key="november", rho=0.1)
    with pytest.raises(renyi.InvalidArgument, match="ledger"):
        renyi.release({"visits": VISITS}, ledger="clinic.ledger", scope="clinic", rho=0.1)
