"""Figures of several plans, their style, and the kinds that only figures have."""

import math
import os
import pathlib
import re
import subprocess

import numpy as np
import pytest

import renyi

matplotlib = pytest.importorskip("matplotlib")
matplotlib.use("Agg")

import matplotlib.pyplot as pyplot  # noqa: E402

from renyi.plotting import _page, _words  # noqa: E402

COMMAND = pathlib.Path(renyi.__file__).absolute().parents[2] / "bin" / "renyi"
FLAGS = ["--sampling-rate", "0.01", "--noise-multiplier", "1.1", "--steps", "1000"]
SGD = renyi.SampledGaussian(0.01, 1.1) * 1000
GAUSSIANS = [renyi.Gaussian(1.0), renyi.Gaussian(2.0)]


@pytest.fixture(params=[(6.4, 4.8), (3.2, 2.4)], ids=["full", "half"])
def ax(request):
    figure, axes = pyplot.subplots(figsize=request.param, layout="constrained")
    yield axes
    pyplot.close(figure)


def curves(ax):
    return {line.get_label(): line for line in ax.get_lines() if not line.get_label().startswith("_")}


def commands_points(kind, path, flags=FLAGS):
    """Returns the data of the command's figure: arrays of rows, in the order of its series."""
    script = path / "figure.gp"
    subprocess.run([os.fspath(COMMAND), "plot", kind, *flags, "--out", os.fspath(script)], check=True)
    blocks = re.findall(r"^\$\w+ << END\n(.*?)^END$", script.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL)
    rows = [[line.split('"')[0].split() for line in block.splitlines() if line] for block in blocks]
    return [np.array([[float(word) for word in row] for row in block]) for block in rows]


def is_among(line, blocks):
    """Whether one of the command's series has the values of this line, at the points that both have: almost all of the
    command's."""
    x, y = np.asarray(line.get_xdata(), dtype=float), np.asarray(line.get_ydata(), dtype=float)
    for block in blocks:
        nearest = np.abs(x[:, np.newaxis] - block[:, 0]).argmin(axis=0)
        both = np.isclose(x[nearest], block[:, 0], rtol=1e-9, atol=0) & np.isfinite(block[:, -1]) & (block[:, -1] > 0)
        if both.mean() > 0.9 and np.allclose(y[nearest][both], block[both, -1], rtol=1e-6, atol=0):
            return True
    return False


CLOSED = ["--sampling-rate", "0.01", "--noise-multiplier", "4"]
COMPARED = {
    "profile": (FLAGS, lambda: renyi.plot_profile(SGD)),
    "steps": (FLAGS, lambda: renyi.plot_steps(SGD)),
    "rdp": (FLAGS, lambda: renyi.plot_rdp(SGD)),
    "tradeoff": (["--scale", "2"], lambda: renyi.plot_tradeoff(renyi.Laplace(2.0))),
    "outcomes": (["--noise-multiplier", "2"], lambda: renyi.plot_outcomes(noise_multiplier=2)),
    "closed-form": (CLOSED, lambda: renyi.plot_closed_form(sampling_rate=0.01, noise_multiplier=4)),
}


@pytest.mark.skipif(not COMMAND.exists(), reason="the command is not built")
@pytest.mark.parametrize("kind", COMPARED)
def test_the_command_draws_the_same_values(kind, tmp_path):
    flags, draw = COMPARED[kind]
    ax = draw()
    blocks = commands_points(kind, tmp_path, flags)
    whole = [line for line in ax.get_lines() if len(line.get_xdata()) > 10]  # others are points and rules
    assert whole and all(is_among(line, blocks) for line in whole)
    pyplot.close(ax.figure)


@pytest.mark.skipif(not COMMAND.exists(), reason="the command is not built")
def test_the_command_compares_the_same_theorems(tmp_path):
    ax = renyi.plot_accountants(SGD)
    theirs = np.concatenate([block.ravel() for block in commands_points("accountants", tmp_path)])
    for line in curves(ax).values():
        assert np.isclose(theirs, line.get_xdata()[0], rtol=1e-9).any()
    pyplot.close(ax.figure)


DRAWN = {
    "profile": lambda ax: renyi.plot_profile(GAUSSIANS, ax),
    "rdp": lambda ax: renyi.plot_rdp(GAUSSIANS, ax),
    "steps": lambda ax: renyi.plot_steps(GAUSSIANS, ax),
    "outcomes": lambda ax: renyi.plot_outcomes(GAUSSIANS[0], ax),
    "tradeoff": lambda ax: renyi.plot_tradeoff(renyi.PureDp(1.0), ax),
    "accountants": lambda ax: renyi.plot_accountants(renyi.Laplace(2.0) * 20, ax),
    "closed form": lambda ax: renyi.plot_closed_form(renyi.SampledGaussian(0.01, 4.0) * 100, ax),
    "loss": lambda ax: renyi.plot_loss(GAUSSIANS, ax),
    "density": lambda ax: renyi.plot_loss_density(GAUSSIANS[0], ax),
    "density, linear": lambda ax: renyi.plot_loss_density(GAUSSIANS[0], ax, delta=0.1, yscale="linear"),
    "heat map": lambda ax: renyi.plot_heat_map(
        renyi.epsilon(noise_multiplier=[1.0, 2.0, 4.0], steps=[[1], [10], [100]], delta=1e-5), ax=ax
    ),
}


def boxes(texts, renderer):
    shown = [text for text in texts if text.get_visible() and text.get_text()]
    return [text.get_window_extent(renderer) for text in shown]


@pytest.mark.parametrize("kind", DRAWN)
def test_nothing_overlaps_and_nothing_is_cut(ax, kind):
    assert DRAWN[kind](ax) is ax
    ax.figure.canvas.draw()
    renderer = ax.figure.canvas.get_renderer()
    for labels in (ax.get_xticklabels(), ax.get_yticklabels()):
        limits = ax.bbox.padded(2)
        found = [box for box in boxes(labels, renderer) if box.width and _beside(box, limits)]
        assert not any(one.overlaps(other) for i, one in enumerate(found) for other in found[:i])
    whole = ax.figure.bbox.padded(1)
    for box in boxes([ax.title, ax.xaxis.label, ax.yaxis.label], renderer):
        assert whole.x0 <= box.x0 and box.x1 <= whole.x1 and whole.y0 <= box.y0 and box.y1 <= whole.y1
    legend = ax.get_legend()
    if legend is not None:
        box, inside = legend.get_window_extent(renderer), ax.bbox.padded(1)
        assert inside.x0 <= box.x0 and box.x1 <= inside.x1 and inside.y0 <= box.y0 and box.y1 <= inside.y1


def _beside(box, limits):
    """Whether a tick's label belongs to the shown range; matplotlib keeps others beyond it."""
    middle_x, middle_y = (box.x0 + box.x1) / 2, (box.y0 + box.y1) / 2
    return limits.x0 <= middle_x <= limits.x1 or limits.y0 <= middle_y <= limits.y1


def test_several_runs_are_lines_that_differ_in_colour_and_dashes(ax):
    noises = [0.8, 1.0, 1.5, 2.0, 3.0, 4.0, 6.0, 8.0]
    renyi.plot_steps(ax=ax, noise_multiplier=noises, steps=10)
    drawn = curves(ax)
    assert list(drawn) == [f"σ = {noise:g}" for noise in noises]
    assert [line.get_color() for line in drawn.values()][:7] == list(_page.PALETTE)
    assert len({str(dashes) for dashes in _page.DASHES}) == 7  # in grey, the dashes tell lines apart
    looks = {(style["color"], str(style["linestyle"])) for style in map(_page.style, range(14))}
    assert len(looks) == 14
    for noise, line in zip(noises, drawn.values()):
        x = line.get_xdata()
        assert (np.diff(x) > 0).all()
        expected = renyi.epsilon(noise_multiplier=noise, steps=x.astype(int), delta=1e-5).exact.upper
        assert np.array_equal(line.get_ydata(), expected)


def test_labels_titles_and_scales(ax):
    renyi.plot_profile(GAUSSIANS, ax, labels=["a", "b"], title="mine", yscale="linear", want=("exact", "renyi"))
    assert list(curves(ax)) == ["a, exact", "a, Rényi bound", "b, exact", "b, Rényi bound"]
    assert ax.get_title() == "mine" and ax.get_yscale() == "linear" and ax.get_ylim()[0] == 0
    ax.clear()
    renyi.plot_rdp(GAUSSIANS[0], ax, title="", xscale="linear", delta=None)
    assert ax.get_title() == "" and ax.get_xscale() == "linear"
    assert list(curves(ax)) == ["Rényi divergence, upper bound"]


def test_titles_are_whole(ax):
    plan = renyi.SampledGaussian(0.01, 1.1) * 1000 + renyi.Laplace(20) * 3 + renyi.RandomizedResponse(0.625) * 7
    renyi.plot_rdp(plan, ax)
    title = ax.get_title().replace("\N{NO-BREAK SPACE}", " ").replace("\n", " ")
    for part in ("1000 × sampled Gaussian, q = 0.01, σ = 1.1", "3 × Laplace, scale = 20", "truth probability = 0.625"):
        assert part in title


def test_the_shaded_area_is_delta():
    for delta in (0.1, 1e-5):
        ax = renyi.plot_loss_density(renyi.Gaussian(1.0), delta=delta)
        density, beyond, covered = (patch.get_data() for patch in ax.patches)
        width = density.edges[1] - density.edges[0]
        assert np.sum(density.values) * width == pytest.approx(1, abs=1e-4)
        assert np.sum(covered.values) * width == pytest.approx(delta, rel=1e-2)
        limit = renyi.epsilon(renyi.Gaussian(1.0), delta=delta).exact.upper
        assert covered.edges[0] == pytest.approx(limit, rel=1e-9)
        tail = renyi.loss(renyi.Gaussian(1.0), at_least=[limit]).remove.at_least.upper[0]
        assert np.sum(beyond.values) * width == pytest.approx(tail, rel=1e-3)
        pyplot.close(ax.figure)


def test_a_density_that_is_not_known_is_refused():
    with pytest.raises(renyi.Unsupported):
        renyi.plot_loss_density(renyi.Zcdp(0.1))


def test_a_heat_map_shows_the_answers_where_they_belong(ax):
    noise, rates = [4.0, 1.0, 2.0], [[0.1], [0.01]]
    answers = renyi.epsilon(sampling_rate=rates, noise_multiplier=noise, steps=100, delta=1e-5)
    renyi.plot_heat_map(answers, ax=ax)
    assert [text.get_text() for text in ax.get_xticklabels()] == ["1", "2", "4"]
    assert [text.get_text() for text in ax.get_yticklabels()] == ["0.01", "0.1"]
    assert (ax.get_xlabel(), ax.get_ylabel()) == ("noise multiplier σ", "sampling rate q")
    shown = ax.collections[0].get_array().reshape(2, 3)
    assert np.array_equal(shown, answers.upper[::-1][:, [1, 2, 0]])
    for text, value in zip(ax.texts, shown.ravel()):
        assert float(text.get_text()) >= value


def test_what_is_no_figure_is_refused(ax):
    for name, ask in {
        "plans": lambda: renyi.plot_profile([], ax),
        "plan": lambda: renyi.plot_accountants(GAUSSIANS, ax),
        "labels": lambda: renyi.plot_profile(GAUSSIANS, ax, labels=["one"]),
        "xscale": lambda: renyi.plot_rdp(SGD, ax, xscale="logit"),
        "title": lambda: renyi.plot_rdp(SGD, ax, title=3),
        "noise_multiplier": lambda: renyi.plot_rdp(SGD, ax, noise_multiplier=3),
        "direction": lambda: renyi.plot_loss_density(SGD, ax, direction="up"),
        "answers": lambda: renyi.plot_heat_map([1.0, 2.0], ax=ax),
        "x": lambda: renyi.plot_heat_map([[1.0, 2.0]], ax=ax),
    }.items():
        with pytest.raises(renyi.InvalidArgument) as refused:
            ask()
        assert refused.value.field == name
    with pytest.raises(TypeError, match="sigma"):
        renyi.plot_rdp(sigma=3)


@pytest.mark.parametrize(
    "value, text",
    [(0.01, "0.01"), (1e4, "10000"), (1e5, "$10^{5}$"), (2.5e-6, r"$2.5\times10^{-6}$"), (0.0, "0"), (math.inf, "∞")],
)
def test_numbers_have_one_style(value, text):
    assert _words.number(value) == text


def test_bounds_are_rounded_outwards():
    assert _words.bound(1.00000001) == "1.00001" and _words.lower_bound(1.99999999) == "1.99999"
    assert _words.bound(1.00000001e-7) == r"$1.00001\times10^{-7}$"
