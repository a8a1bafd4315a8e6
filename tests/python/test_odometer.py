"""Odometers: readings that hold at all times."""

import json
import pickle

import pytest

import renyi
from renyi import Gaussian, Laplace, Odometer, PureDp, SampledGaussian

KINDS = [Odometer.renyi, Odometer.zcdp, Odometer.gdp]


@pytest.mark.parametrize("make", KINDS)
def test_readings_never_fall_and_predict_the_next(make):
    odometer = make(1e-5)
    last = odometer.reading()
    assert last.epsilon == 0 and last.delta == 1e-5 and odometer.history.steps == ()
    for noise in (8, 2, 30, 2):
        ahead = odometer.reading_after(Gaussian(noise), 3)
        assert odometer.reading() == last
        odometer.charge(noise_multiplier=noise, count=3)
        assert odometer.reading() == ahead and ahead.epsilon >= last.epsilon
        last = ahead
    assert odometer.history.steps[1] == renyi.Step(Gaussian(2), 6)
    # The price of holding at all times: never below the cost of the same steps fixed in advance.
    assert last.epsilon >= renyi.epsilon(odometer.history, delta=1e-5).exact.lower
    assert f"<Odometer after 12 steps: {odometer.kind}; epsilon <= " in repr(odometer)


def test_every_form_of_a_step_and_the_orders():
    odometer = Odometer.renyi(1e-6, orders=[2, 8, 32], neighbors="replace-one", unit=2)
    assert (odometer.kind, odometer.neighbors, odometer.unit) == ("renyi", "replace-one", 2)
    odometer.charge(renyi.Plan(Gaussian(9), Laplace(20), neighbors="replace-one", unit=2), 2)
    odometer.charge(SampledGaussian(0.1, 2))
    assert [step.count for step in odometer.history.steps] == [2, 2, 1]
    assert odometer.reading().order in (2, 8, 32)
    assert (odometer.delta, odometer.infinite_mass, odometer.orders) == (1e-6, 0, (2, 8, 32))
    assert Odometer.zcdp(1e-6, infinite_mass=1e-9).infinite_mass == 1e-9 and len(Odometer.gdp(1e-6).orders) > 1


@pytest.mark.parametrize("make", KINDS)
def test_files(make, tmp_path):
    odometer = make(1e-5, infinite_mass=1e-7)
    odometer.charge(Gaussian(4), 10)
    path = tmp_path / "odometer.json"
    odometer.save(path)
    for again in (Odometer.load(path), Odometer.from_json(odometer.to_json()), pickle.loads(pickle.dumps(odometer))):
        assert again.reading() == odometer.reading() and again.kind == odometer.kind
        assert again.history == odometer.history and again.to_json() == odometer.to_json()
    document = json.loads(path.read_text())
    document["steps"][0]["count"] = 1
    path.write_text(json.dumps(document))
    with pytest.raises(renyi.InvalidArgument):
        Odometer.load(path)


@pytest.mark.parametrize(
    "ask, field",
    [
        (lambda odometer: Odometer(), "odometer"),
        (lambda odometer: Odometer.renyi(0), "delta"),
        (lambda odometer: Odometer.zcdp(float("nan")), "delta"),
        (lambda odometer: Odometer.gdp("1e-5"), "delta"),
        (lambda odometer: Odometer.renyi(1e-5, orders=[]), "orders"),
        (lambda odometer: Odometer.gdp(1e-5, infinite_mass=2), "infinite_mass"),
        (lambda odometer: Odometer.gdp(1e-5, neighbors="one"), "neighbors"),
        (lambda odometer: odometer.charge(), "noise_multiplier"),
        (lambda odometer: odometer.charge(3), "step"),
        (lambda odometer: odometer.charge(Gaussian(2), 0), "count"),
        (lambda odometer: odometer.charge(renyi.Plan(Gaussian(2), unit=2)), "unit"),
        (lambda odometer: odometer.reading_after(Gaussian(2) * 2), "step"),
        (lambda odometer: Odometer.from_json("{}"), "renyi-odometer"),
    ],
)
def test_bad_input_names_the_field_and_charges_nothing(ask, field):
    odometer = Odometer.renyi(1e-5)
    with pytest.raises(renyi.InvalidArgument) as caught:
        ask(odometer)
    assert caught.value.field == field and odometer.history.steps == ()


def test_infinite_losses_need_their_own_mass():
    step = renyi.ApproxDp(0.1, 1e-6)
    with pytest.raises(renyi.Error):
        Odometer.renyi(1e-5).charge(step)
    odometer = Odometer.renyi(1e-5, infinite_mass=2e-6)
    odometer.charge(step, 2)
    with pytest.raises(renyi.InvalidArgument):
        odometer.charge(step)
    assert odometer.history == step * 2 and odometer.reading().delta >= 1.2e-5


def test_pure_steps_cost_their_epsilon_at_most():
    odometer = Odometer.renyi(1e-5)
    odometer.charge(PureDp(0.1), 3)
    assert odometer.reading().epsilon <= 0.3000001


def test_no_step_of_others_is_lost(tmp_path):
    path = tmp_path / "odometer.json"
    Odometer.zcdp(1e-5).save(path)
    mine, other = Odometer.load(path), Odometer.load(path)
    mine.charge(Gaussian(4))
    other.charge(Gaussian(2))
    other.save(path)
    with pytest.raises(renyi.InvalidArgument, match="Odometer.load"):
        mine.save(path)
    assert Odometer.load(path).history == other.history
    mine.save(path, overwrite=True)
    assert Odometer.load(path).history == mine.history and "after 1 step:" in repr(mine)


def test_errors_are_about_odometers():
    odometer = Odometer.zcdp(1e-5)
    with pytest.raises(renyi.InvalidArgument, match="add-or-remove-one, as in the odometer"):
        odometer.charge(renyi.Plan(Gaussian(4), neighbors="zero-out"))
    with pytest.raises(renyi.InvalidArgument, match="count=3"):
        odometer.charge(noise_multiplier=4, steps=3)
    assert odometer.history.steps == ()
