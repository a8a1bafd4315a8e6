"""The examples run, and what they print is true."""

from __future__ import annotations

import base64
import math
import os
import pathlib
import re
import subprocess
import sys
from typing import Any

import notebook
import numpy as np
import pytest

import renyi

EXAMPLES = pathlib.Path(__file__).resolve().parents[2] / "examples"
CURVES, LECTURE = EXAMPLES / "curves.ipynb", EXAMPLES / "lecture.ipynb"


def run(name: str, *arguments: str, first_on_path: str = "") -> subprocess.CompletedProcess[str]:
    """An example, in a process of its own."""
    path = os.pathsep.join(folder for folder in (first_on_path, os.environ.get("PYTHONPATH", "")) if folder)
    environment = {**os.environ, "PYTHONPATH": path, "PYTHONIOENCODING": "utf-8"}
    command = [sys.executable, str(EXAMPLES / name), *arguments]
    return subprocess.run(command, capture_output=True, encoding="utf-8", env=environment, timeout=3600)


def number_after(label: str, text: str) -> float:
    found = re.findall(rf"^ *{label} +([0-9.]+)\b", text, re.MULTILINE)
    assert len(found) == 1, f"{label!r} in:\n{text}"
    return float(found[0])


@pytest.fixture(scope="module")
def digits() -> Any:
    """The NumPy example as a module."""
    pytest.importorskip("sklearn")
    sys.path.insert(0, str(EXAMPLES))
    try:
        import dp_sgd_digits
    finally:
        sys.path.remove(str(EXAMPLES))
    return dp_sgd_digits


@pytest.fixture(scope="module")
def printed(digits: Any) -> str:
    """Returns what the NumPy example prints for a short training."""
    done = run("dp_sgd_digits.py", "--epochs", "12", "--epsilon", "4")
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_digits_are_learned(printed: str) -> None:
    assert number_after("test accuracy", printed) > 0.85


def test_digits_cost_what_was_to_be_spent(printed: str) -> None:
    exact = number_after("renyi, exact", printed)
    assert exact == 4
    assert exact < number_after("renyi, Rényi bound", printed) < number_after("textbook", printed)


def test_digits_resume_to_the_same_epsilon(printed: str) -> None:
    assert "checkpoint after 60 steps" in printed
    assert number_after("without the break", printed) == number_after("renyi, exact", printed)
    assert "the same to the last bit" in printed and "DIFFERENT" not in printed


def test_digits_checkpoint_is_bit_for_bit(digits: Any) -> None:
    weights, accountant = np.linspace(-1, 1, 30).reshape(3, 10) / 3, renyi.Accountant()
    accountant.step(noise_multiplier=1 / 0.3, sampling_rate=0.1, count=7)
    restored, resumed = digits.resume(digits.save(weights, accountant))
    assert (restored == weights).all()
    assert resumed.plan == accountant.plan
    for account in (accountant, resumed):
        account.step(noise_multiplier=1 / 0.3, sampling_rate=0.1, count=5)
    one, other = accountant.epsilon(1e-5), resumed.epsilon(1e-5)
    assert (one.renyi, *one.exact) == (other.renyi, *other.exact)


def test_digits_depend_on_the_seed_alone() -> None:
    pytest.importorskip("sklearn")
    first, again, other = (run("dp_sgd_digits.py", "--epochs", "2", "--seed", seed).stdout for seed in "557")
    assert first == again != other


@pytest.mark.parametrize("wrong", [("--epsilon", "-1"), ("--epsilon", "nan"), ("--epsilon", "inf"), ("--epochs", "0")])
def test_digits_refuse_bad_numbers(wrong: tuple[str, str]) -> None:
    done = run("dp_sgd_digits.py", *wrong)
    assert done.returncode == 2
    assert wrong[0] in done.stderr and "allowed" in done.stderr and "Traceback" not in done.stderr


def test_gradients_are_gradients_and_clipped_one_by_one(digits: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    generator = np.random.default_rng(3)
    pixels, labels = generator.normal(size=(8, 5)), generator.integers(0, 10, 8)
    weights = generator.normal(size=(5, 10))

    def loss(at: np.ndarray, image: int) -> float:
        scores = pixels[image] @ at
        return float(np.log(np.exp(scores).sum()) - scores[labels[image]])

    def numeric(image: int) -> np.ndarray:
        gradient = np.empty_like(weights)
        for place in np.ndindex(weights.shape):
            nudge = np.zeros_like(weights)
            nudge[place] = 1e-6
            gradient[place] = (loss(weights + nudge, image) - loss(weights - nudge, image)) / 2e-6
        return gradient

    clipping_norm = 1.5
    gradients = [numeric(image) for image in range(8)]
    norms = [np.linalg.norm(gradient) for gradient in gradients]
    assert min(norms) < clipping_norm < max(norms)  # both cases are there
    clipped = [gradient * min(1, clipping_norm / norm) for gradient, norm in zip(gradients, norms)]
    monkeypatch.setattr(digits, "CLIPPING_NORM", clipping_norm)
    found = digits.clipped_gradient_sum(weights, digits.Images(pixels, labels))
    np.testing.assert_allclose(found, sum(clipped), atol=1e-8)


def test_an_empty_batch_has_no_gradient(digits: Any) -> None:
    nobody = digits.Images(np.empty((0, 5)), np.empty(0, dtype=int))
    assert (digits.clipped_gradient_sum(np.ones((5, 10)), nobody) == 0).all()


def test_noise_is_as_large_as_accounted(digits: Any) -> None:
    nothing = digits.Images(np.zeros((digits.TRAINING_IMAGES, 200)), np.zeros(digits.TRAINING_IMAGES, dtype=int))
    moved = digits.noisy_step(np.zeros((200, 10)), nothing, 2.5, np.random.default_rng(1))
    noise = moved * digits.RATE * digits.TRAINING_IMAGES / digits.LEARNING_RATE
    assert noise.std() == pytest.approx(2.5 * digits.CLIPPING_NORM, rel=0.05)  # 2,000 draws: three sigma


def test_batches_are_poisson_samples(digits: Any) -> None:
    size, generator = digits.TRAINING_IMAGES, np.random.default_rng(1)
    same = digits.Images(np.ones((size, 1)), np.zeros(size, dtype=int))
    one = digits.clipped_gradient_sum(np.zeros((1, 10)), digits.Images(same.pixels[:1], same.digits[:1]))
    moves = [digits.noisy_step(np.zeros((1, 10)), same, 0.0, generator)[0, 0] for _ in range(2000)]
    counts = -np.array(moves) * digits.RATE * size / digits.LEARNING_RATE / one[0, 0]
    np.testing.assert_allclose(counts, np.rint(counts), atol=1e-6)
    assert counts.mean() == pytest.approx(digits.RATE * size, rel=0.01)
    assert counts.var() == pytest.approx(size * digits.RATE * (1 - digits.RATE), rel=0.1)  # three sigma


@pytest.mark.parametrize("order", [2, 3, 17, 64])
@pytest.mark.parametrize("rate, noise", [(0.1, 2.9), (0.01, 1.1), (0.5, 0.7)])
def test_textbook_curve_is_the_engines(digits: Any, order: int, rate: float, noise: float) -> None:
    expected = renyi.rdp(sampling_rate=rate, noise_multiplier=noise, steps=1, orders=order)
    assert digits.textbook_rdp(order, rate, noise) == pytest.approx(expected, rel=1e-9)


def test_textbook_epsilon_is_the_classical_one(digits: Any) -> None:
    orders = [*range(2, 65), 128, 256, 512]
    run_of = dict(sampling_rate=0.1, noise_multiplier=2.5, steps=300, delta=1e-5)
    expected = renyi.epsilon(**run_of, want="renyi", orders=orders, conversion="classical").renyi
    assert digits.textbook_epsilon(0.1, 2.5, 300, 1e-5) == pytest.approx(expected, rel=1e-9)


Executed = tuple[list[dict[str, Any]], list[list[dict[str, Any]]], dict[str, Any]]


def executed(path: pathlib.Path) -> Executed:
    """Returns a notebook's code cells, their fresh outputs, and what the cells defined."""
    matplotlib = pytest.importorskip("matplotlib")
    matplotlib.use("Agg")
    defined: dict[str, Any] = {}
    cells, outputs = zip(*notebook.execute(notebook.read(path), defined))
    return list(cells), list(outputs), defined


@pytest.fixture(scope="module")
def curves() -> Executed:
    return executed(CURVES)


@pytest.fixture(scope="module")
def lecture() -> Executed:
    return executed(LECTURE)


@pytest.fixture(params=["curves", "lecture"])
def either(request: pytest.FixtureRequest) -> Executed:
    found: Executed = request.getfixturevalue(request.param)
    return found


def images(outputs: list[dict[str, Any]]) -> list[bytes]:
    return [base64.b64decode(o["data"]["image/png"]) for o in outputs if "image/png" in o.get("data", {})]


def texts(outputs: list[dict[str, Any]]) -> list[str]:
    kept = [o["text"] if o["output_type"] == "stream" else o["data"]["text/plain"] for o in outputs]
    return ["".join(lines) for lines in kept]


def test_notebook_draws(either: Executed) -> None:
    cells, outputs, _ = either
    for cell, made in zip(cells, outputs):
        drawn = images(made)
        assert len(drawn) == "".join(cell["source"]).count("plt.subplots(")
        assert all(image.startswith(b"\x89PNG") and len(image) > 4000 for image in drawn)  # an empty frame has 2,000
    assert sum(len(images(made)) for made in outputs) >= 6


def test_notebook_shows_what_it_says_today(either: Executed) -> None:
    """On failure: MPLBACKEND=Agg python tests/python/notebook.py examples/curves.ipynb, or lecture.ipynb"""
    cells, outputs, _ = either
    for cell, made in zip(cells, outputs):
        assert texts(cell["outputs"]) == texts(made), "".join(cell["source"])
        assert len(images(cell["outputs"])) == len(images(made))


def test_lecture_is_true(lecture: Executed) -> None:
    defined = lecture[2]
    assert defined["shaded"] == pytest.approx(defined["exact"].exact.upper, abs=1e-5)
    for name, mechanism in defined["basic"].items():
        for order in (1.5, 4, 10):
            by_hand = defined["formulas"][name](order) / (order - 1)
            assert renyi.rdp(mechanism, orders=order) == pytest.approx(by_hand, rel=1e-9)
    for outcome in defined["meaning"].outcomes:
        order = outcome.renyi.upper_order
        divergence = renyi.rdp(defined["plan"], orders=order)
        if outcome.renyi.upper_form == "direct":
            direct = (math.exp(divergence) * outcome.baseline) ** ((order - 1) / order)
            assert outcome.renyi.upper == pytest.approx(direct, rel=1e-6)
        assert outcome.exact.upper <= outcome.renyi.upper
    for value in (0.1269365, 1e-6, 5.6318, 0.99999, 6.6411e-6):
        assert value <= float(defined["up"](value)) <= value * 1.01


def test_notebook_curves_are_ordered(curves: Any) -> None:
    defined = curves[2]
    profile, sweep = defined["profile"], defined["sweep"]
    assert (profile.exact.upper <= profile.renyi).all()
    assert (np.diff(profile.exact.upper) < 0).all()
    assert defined["answer"].exact.upper < defined["answer"].renyi
    assert (defined["by_exact"] < defined["by_bound"]).all()
    assert (np.diff(sweep.exact.upper, axis=1) < 0).all() and (np.diff(sweep.exact.upper, axis=0) < 0).all()
    assert np.isfinite(defined["costs"]).all()
    assert (defined["curve"].type_2_error.lower <= 1 - defined["alarms"]).all()


@pytest.mark.parametrize("path", [CURVES, LECTURE], ids=lambda path: path.stem)
def test_notebook_is_one(path: pathlib.Path) -> None:
    read = notebook.read(path)
    assert (read["nbformat"], read["nbformat_minor"]) == (4, 5)
    assert len({cell["id"] for cell in read["cells"]}) == len(read["cells"])
    assert {cell["cell_type"] for cell in read["cells"]} == {"code", "markdown"}
    assert all(cell["execution_count"] == i for i, cell in enumerate(notebook.code_cells(read), start=1))
    assert path.stat().st_size < 300_000


def test_opacus_trains_with_our_accountant(digits: Any) -> None:
    pytest.importorskip("opacus")
    pytest.importorskip("torch")
    done = run("dp_sgd_opacus.py", "--epochs", "12", "--epsilon", "4")
    assert done.returncode == 0, done.stderr
    assert number_after("test accuracy", done.stdout) > 0.85
    labels = ("renyi, exact", "renyi, Rényi bound", "Opacus, rdp", "by the engine")
    exact, bound, theirs, engine = (number_after(label, done.stdout) for label in labels)
    assert 3.9 < engine <= 4
    assert engine in (exact, bound)
    assert exact < bound <= theirs


@pytest.mark.parametrize("hidden", [("torch",), ("opacus",), ("torch", "opacus")])
def test_opacus_example_says_what_is_missing(tmp_path: pathlib.Path, hidden: tuple[str, ...]) -> None:
    for name in ("torch", "opacus"):  # both are replaced, so that it matters nothing what is installed
        absent = f"raise ModuleNotFoundError('No module named {name}', name='{name}')\n"
        (tmp_path / f"{name}.py").write_text(absent if name in hidden else "")
    done = run("dp_sgd_opacus.py", first_on_path=str(tmp_path))
    assert done.returncode == 3
    assert done.stderr == f"This example needs torch and opacus; missing: {', '.join(hidden)}.\n"
    assert done.stdout == ""


def test_individual_accounts_go_on_longer_than_the_worst_case() -> None:
    done = run("individual_filter.py")
    assert done.returncode == 0, done.stderr
    worst_case = number_after("steps, worst case", done.stdout)
    longer = number_after("steps with 90 % of records", done.stdout)
    assert worst_case == 72 and longer > 2 * worst_case
    assert "private" in done.stdout


def test_a_ledger_pays_for_epochs_until_its_budget_is_spent(tmp_path: pathlib.Path) -> None:
    first, second = (run("ledger_training.py", "--ledger", str(tmp_path / "survey.ledger")) for _ in range(2))
    assert first.returncode == second.returncode == 0, first.stderr + second.stderr
    assert "after 8 epochs" in first.stdout and "after 0 epochs" in second.stdout
    assert number_after("steps that would fit", first.stdout) == 10
    assert number_after("accuracy", first.stdout) > 0.8
    paid, most = (number_after(label, first.stdout) for label in ("epsilon, this run", "epsilon, the survey"))
    assert 3 < paid < most < 4.1
    assert "valid, 28 entries" in second.stdout


@pytest.mark.parametrize("arguments, steps", [(("--loader", "poisson"), 120), (("--loader", "random-allocation"), 6)])
def test_loaders_match_the_account(arguments: tuple[str, ...], steps: int) -> None:
    done = run("loaders_numpy.py", *arguments)
    assert done.returncode == 0, done.stderr
    assert number_after("accuracy", done.stdout) > 0.9 and number_after("steps", done.stdout) == steps
    plan = renyi.Gaussian(2.0).sampled(renyi.Poisson(0.05)) * 120
    if steps == 120:
        assert number_after("epsilon", done.stdout) == pytest.approx(float(renyi.epsilon(plan, delta=1e-5)), abs=1e-4)


def test_compiled_steps_have_batches_of_one_shape() -> None:
    done = run("loaders_jax.py")
    assert done.returncode == 0, done.stderr
    assert number_after("accuracy", done.stdout) > 0.9 and number_after("steps", done.stdout) == 120
    assert "batch_limit=160" in done.stdout


def test_opacus_trains_with_our_batches() -> None:
    pytest.importorskip("opacus")
    pytest.importorskip("torch")
    done = run("loaders_opacus.py")
    assert done.returncode == 0, done.stderr
    assert number_after("accuracy", done.stdout) > 0.9 and number_after("steps", done.stdout) == 120


def test_opacus_loaders_say_what_is_missing(tmp_path: pathlib.Path) -> None:
    for name in ("torch", "opacus"):
        (tmp_path / f"{name}.py").write_text(f"raise ModuleNotFoundError('No module named {name}', name='{name}')\n")
    done = run("loaders_opacus.py", first_on_path=str(tmp_path))
    assert done.returncode == 3 and "torch, opacus" in done.stderr
