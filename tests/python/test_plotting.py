"""Plots: what is drawn is what was answered."""

import math
import sys

import numpy as np
import pytest

import renyi

matplotlib = pytest.importorskip("matplotlib")
matplotlib.use("Agg")

import matplotlib.pyplot as pyplot  # noqa: E402

from renyi import plotting  # noqa: E402
from renyi.reports import compare, loss, profile, tradeoff  # noqa: E402

SGD = renyi.SampledGaussian(0.01, 1.1) * 1000
BOUNDS = renyi.Zcdp(0.1)


@pytest.fixture
def ax():
    figure, axes = pyplot.subplots()
    yield axes
    figure.canvas.draw()  # checks that it can be drawn
    pyplot.close(figure)


def lines(ax):
    """The curves, by their labels."""
    return {line.get_label(): line for line in ax.get_lines() if not line.get_label().startswith("_")}


def dots(ax):
    """The points of reports."""
    return [line for line in ax.get_lines() if line.get_label() == "_points"]


def has_labels(ax):
    return all((ax.get_xlabel(), ax.get_ylabel(), ax.get_title())) and ax.get_legend() is not None


def test_profile(ax):
    assert plotting.plot_profile(SGD, ax) is ax
    assert has_labels(ax) and ax.get_yscale() == "log" and ax.get_xscale() == "linear"
    drawn = lines(ax)
    assert set(drawn) == {"exact", "Rényi bound"}
    epsilons = drawn["exact"].get_xdata()
    expected = profile(SGD, epsilons=epsilons)
    assert np.array_equal(drawn["exact"].get_ydata(), expected.exact.upper)
    assert np.array_equal(drawn["Rényi bound"].get_ydata(), expected.renyi)
    assert len(ax.collections) == 1  # the band between the ends
    assert expected.exact.upper[-1] < 1.01e-12 and len(epsilons) >= 200


def test_a_mark_is_on_the_plot(ax):
    plotting.plot_profile(renyi.Gaussian(1.0), ax, mark=(9.0, 1e-40))
    (label,) = set(lines(ax)) - {"exact", "Rényi bound"}
    assert label == "ε = 9, δ = $10^{-40}$"
    assert ax.get_xlim()[1] > 9 and ax.get_ylim()[0] < 1e-40


@pytest.mark.parametrize("mark", [(math.inf, 1e-5), (1.0, 0.0)])
def test_what_has_no_place_is_not_marked(ax, mark):
    plotting.plot_profile(SGD, ax, mark=mark)
    assert set(lines(ax)) == {"exact", "Rényi bound"}


def test_marks_of_bounds_are_rounded_up(ax):
    found = renyi.epsilon(SGD, delta=1e-5)
    assert found.plot(ax) is ax
    (label,) = set(lines(ax)) - {"exact", "Rényi bound"}
    shown = float(label.split()[2].rstrip(","))
    assert found.upper <= shown < found.upper * 1.00001 and label.endswith("δ = $10^{-5}$")
    other = renyi.delta(SGD, epsilon=1.0).plot()
    assert any("ε = 1, δ" in label for label in lines(other))
    pyplot.close(other.figure)


def test_without_an_exact_figure(ax):
    plotting.plot_profile(BOUNDS, ax)
    assert set(lines(ax)) == {"Rényi bound"} and not ax.collections


def test_deltas_lie_on_the_y_axis_whichever_was_given(ax):
    report = profile(SGD, deltas=[1e-8, 1e-4])
    report.plot(ax)
    exact, bound = dots(ax)
    assert exact.get_ydata().tolist() == [1e-8, 1e-4] and np.array_equal(exact.get_xdata(), report.exact.upper)
    assert np.array_equal(bound.get_xdata(), report.renyi)
    drawn = lines(ax)["exact"].get_xdata()
    assert drawn.min() == report.exact.upper.min() and drawn.max() == report.renyi.max()


def test_infinity_and_zero_are_left_out(ax):
    profile(renyi.Gaussian(1.0), deltas=[0.0, 1e-4]).plot(ax)
    assert np.isnan(dots(ax)[-1].get_xdata()).tolist() == [True, False]
    profile(renyi.PureDp(1.0), epsilons=[0.5, 2.0]).plot(ax)
    profile(renyi.Gaussian(1.0), deltas=[0.0]).plot(ax)  # no epsilon is finite


def polyline(line, at):
    """Returns what is drawn at these positions: straight lines between points, on logarithmic axes where they are
    so."""
    x, y = line.get_xdata(), line.get_ydata()
    if line.axes.get_xscale() == "log":
        x, at = np.log(x), np.log(at)
    if line.axes.get_yscale() == "log":
        return np.exp(np.interp(at, x, np.log(y)))
    return np.interp(at, x, y)


def by_report_and_plan(ask, draw):
    """Both ways to the same curve."""
    return pytest.mark.parametrize("draw", [lambda plan, ax: ask(plan).plot(ax), draw], ids=["report", "plan"])


CURVES = [
    renyi.Plan(renyi.Gaussian(1.0)),
    renyi.Plan(renyi.Gaussian(0.25)),
    renyi.Plan(renyi.Laplace(2.0)),
    renyi.SampledGaussian(0.01, 1.1) * 10_000,
]


@pytest.mark.parametrize("plan", [CURVES[0], CURVES[2], CURVES[3]], ids=repr)
@by_report_and_plan(tradeoff, plotting.plot_tradeoff)
def test_between_its_points_a_tradeoff_is_the_curve(ax, plan, draw):
    draw(plan, ax)
    at = np.linspace(0.001, 0.999, 200)
    truth = tradeoff(plan, type_1_errors=at).type_2_error.upper
    drawn = polyline(lines(ax)["best test"], at)
    assert np.all(np.abs(drawn - truth) <= 0.005 * np.maximum(truth, 0.1))


@pytest.mark.parametrize("plan", CURVES, ids=repr)
@by_report_and_plan(profile, plotting.plot_profile)
def test_between_its_points_a_profile_is_the_curve(ax, plan, draw):
    draw(plan, ax)
    last = profile(plan).at[-1]
    truth = profile(plan, epsilons=np.linspace(0, 0.99 * last, 499))  # Laplace's delta is 0 at the last
    for label, values in (("exact", truth.exact.upper), ("Rényi bound", truth.renyi)):
        drawn = polyline(lines(ax)[label], truth.at)
        seen = (values > 1e-10) & np.isfinite(drawn)
        assert seen.sum() > 400
        assert np.all(np.abs(drawn - values)[seen] <= 0.005 * values[seen])


@pytest.mark.parametrize("plan", [CURVES[0], CURVES[1], CURVES[3]], ids=repr)
@by_report_and_plan(loss, plotting.plot_loss_tails)
def test_between_its_points_a_loss_is_the_curve(ax, plan, draw):
    draw(plan, ax)
    at = np.linspace(0, 8, 499)
    (line,) = [line for label, line in lines(ax).items() if label in ("both directions", "remove")]
    truth = loss(plan, at_least=at).remove.at_least.upper
    seen = (truth > 1e-10) & (at <= line.get_xdata().max())
    assert seen.sum() > 25
    assert np.all(np.abs(polyline(line, at) - truth)[seen] <= 0.005 * truth[seen])


def test_between_its_points_a_curve_of_orders_is_the_curve(ax):
    plan = CURVES[3]
    plotting.plot_rdp(plan, ax)
    at = np.geomspace(1.02, 18, 997)
    truth = renyi.rdp(plan, orders=at)
    assert np.all(np.abs(polyline(ax.get_lines()[0], at) - truth) <= 0.005 * truth)


def test_a_curve_is_asked_for_as_its_points_were(ax):
    """A report by the classical conversion lies on the classical curve."""
    report = profile(SGD, epsilons=[1.0, 2.0], want="renyi", conversion="classical", orders=[2.0, 3.0])
    report.plot(ax)
    assert "exact" not in lines(ax)
    assert np.allclose(polyline(lines(ax)["Rényi bound"], report.at), report.renyi, rtol=1e-12)


def test_more_points_than_a_curve_has(ax):
    at = np.linspace(0, 1, 1000)
    tradeoff(renyi.PureDp(1.0), type_1_errors=at).plot(ax)
    assert set(at) <= set(lines(ax)["best test"].get_xdata())


def test_rdp(ax):
    assert plotting.plot_rdp(SGD, ax, orders=[4.0, 2.0, math.inf]) is ax
    assert has_labels(ax) and ax.get_xscale() == ax.get_yscale() == "log"
    drawn = ax.get_lines()[0]
    assert drawn.get_xdata().tolist() == [2.0, 4.0]
    assert np.array_equal(drawn.get_ydata(), renyi.rdp(SGD, orders=[2.0, 4.0]))
    usual = plotting.plot_rdp(renyi.Laplace(2.0))
    assert len(usual.get_lines()[0].get_xdata()) > 40
    pyplot.close(usual.figure)


def test_tradeoff(ax):
    assert plotting.plot_tradeoff(renyi.Gaussian(1.0), ax) is ax
    assert has_labels(ax) and ax.get_xlim() == ax.get_ylim() == (0, 1)
    drawn = lines(ax)
    assert set(drawn) == {"best test", "blind guess"}
    errors, least = drawn["best test"].get_xdata(), drawn["best test"].get_ydata()
    expected = tradeoff(renyi.Gaussian(1.0), type_1_errors=errors).type_2_error.upper
    assert np.allclose(least[:-1], expected[:-1], rtol=1e-6) and np.all(np.diff(least[:-1]) <= 0)
    assert errors[0] == 0 and errors[-1] == 1


def test_a_tradeoff_report_is_a_curve_and_its_points(ax):
    report = tradeoff(renyi.Gaussian(1.0), type_1_errors=[0.5, 0.123456])
    report.plot(ax)
    drawn = lines(ax)["best test"]
    assert np.all(np.diff(drawn.get_xdata()) > 0) and 0.123456 in drawn.get_xdata()
    (points,) = dots(ax)
    assert points.get_xdata().tolist() == [0.5, 0.123456]
    assert np.array_equal(points.get_ydata(), report.type_2_error.upper)


def test_loss(ax):
    assert plotting.plot_loss_tails(SGD, ax) is ax
    assert has_labels(ax) and ax.get_yscale() == "log"
    drawn = lines(ax)
    assert set(drawn) == {"remove", "add"}
    expected = loss(SGD, at_least=drawn["add"].get_xdata()).add.at_least.upper
    assert np.array_equal(drawn["add"].get_ydata(), expected)
    assert expected[0] > 0.99 and expected[-1] < 1e-9


def test_the_band_lies_between_the_ends(ax):
    report = loss(renyi.Laplace(2.0) * 3, at_least=[0.0, 0.5])
    lower, upper = report.remove.at_least.lower, report.remove.at_least.upper
    assert np.all(lower < upper)  # bounds only, at these points
    report.plot(ax)
    (band,) = ax.collections
    drawn = set(band.get_paths()[0].vertices[:, 1])
    assert {*lower, *upper} <= drawn


def test_equal_directions_are_one_line_and_bounds_have_no_band(ax):
    plotting.plot_loss_tails(renyi.Gaussian(1.0), ax)
    assert set(lines(ax)) == {"both directions"}
    ax.clear()
    plotting.plot_loss_tails(BOUNDS, ax)
    (label,) = lines(ax)
    assert "upper bound" in label
    assert not ax.collections
    loss(SGD, direction="add").plot(ax)
    assert "add" in lines(ax)


def test_comparison(ax):
    report = compare(SGD, delta=1e-5)
    assert report.plot(ax) is ax and ax.get_xscale() == "log"
    names = [text.get_text() for text in ax.get_yticklabels()]
    known = [row for row in report.theorems if row.epsilon is not None]
    assert names == [row.name for row in sorted(known, key=lambda row: row.epsilon)]
    drawn = lines(ax)
    assert [drawn[name].get_xdata()[0] for name in names if name in drawn] == [report[name].epsilon for name in names]
    assert all(float(text.get_text()) >= report[name].epsilon for text, name in zip(ax.texts, names))
    assert "renyi-event" in ax.get_xlabel() and "10^{-5}" in ax.get_title()  # what is left out is named


def test_without_matplotlib(monkeypatch):
    monkeypatch.setitem(sys.modules, "matplotlib.pyplot", None)
    for name in plotting.__all__:
        what = [[1.0]] if name == "plot_heat_map" else renyi.SampledGaussian(0.1, 2.0)
        given = {"x": [1.0], "y": [1.0]} if name == "plot_heat_map" else {}
        with pytest.raises(ImportError, match="matplotlib"):
            getattr(plotting, name)(what, **given)


def test_what_is_no_plan():
    with pytest.raises(renyi.InvalidArgument) as refused:
        plotting.plot_profile("plan")
    assert refused.value.field == "plan"
