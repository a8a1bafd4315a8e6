"""Sums are divided by a public number: Opacus' own divisor, computed from the number of records, is warned of."""

import math
import warnings

import pytest
import torch
from opacus import PrivacyEngine
from test_opacus import BATCH, RECORDS, parts, train

import renyi
from renyi.compat.opacus import make_exact, with_public_size

pytestmark = pytest.mark.filterwarnings("ignore")  # torch's and Opacus's own


def private(accountant="renyi", neighbors="add-or-remove-one", **settings):
    engine = PrivacyEngine(accountant=accountant)
    if neighbors != "add-or-remove-one":
        engine.accountant.neighbors = neighbors
    model, optimizer, loader = parts()
    return engine.make_private(
        module=model, optimizer=optimizer, data_loader=loader, noise_multiplier=1.1, max_grad_norm=1.0, **settings
    )


def warnings_of(training):
    with warnings.catch_warnings(record=True) as seen:
        warnings.simplefilter("always")
        training()
    return [str(warned.message) for warned in seen if "expected batch size" in str(warned.message)]


def test_the_divisor_of_opacus_is_warned_of_once():
    model, optimizer, loader = private()
    assert optimizer.expected_batch_size == BATCH  # int(len(dataset) / len(loader))
    (text,) = warnings_of(lambda: train(model, optimizer, loader, epochs=2))
    assert "private under add-or-remove-one" in text and "with_public_size(optimizer, expected_batch_size=...)" in text
    assert not any(character.isdigit() for character in text)


def test_exact_noise_inherits_the_divisor_and_its_warning():
    for accountant in ("renyi", "rdp"):
        model, optimizer, loader = private(accountant)
        exact = make_exact(optimizer)
        assert len(warnings_of(lambda: train(model, exact, loader, epochs=2))) == 1
    model, optimizer, loader = private()
    exact = make_exact(optimizer, expected_batch_size=40)
    assert not warnings_of(lambda: train(model, exact, loader)) and exact.expected_batch_size == 40


def test_a_stated_size_divides():
    gradients = []
    for size in (None, 64):
        model, optimizer, loader = private(noise_generator=torch.Generator().manual_seed(1))
        if size is not None:
            assert with_public_size(optimizer, expected_batch_size=size) is optimizer
        features, labels = loader.dataset[:BATCH]
        torch.nn.functional.cross_entropy(model(features), labels).backward()
        texts = warnings_of(optimizer.pre_step)
        assert len(texts) == (size is None)
        gradients.append(torch.cat([p.grad.reshape(-1) for p in optimizer.params]))
    assert torch.allclose(gradients[0] * BATCH, gradients[1] * 64)


@pytest.mark.parametrize(
    "settings", [{"neighbors": "zero-out"}, {"neighbors": "replace-one"}, {"loss_reduction": "sum"}]
)
def test_no_warning_where_the_size_is_public_or_nothing_is_divided(settings):
    model, optimizer, loader = private(**settings)
    assert not warnings_of(lambda: train(model, optimizer, loader))
    assert not warnings_of(lambda: train(model, make_exact(optimizer), loader))


def test_the_divisor_depends_on_the_records_without_it():
    """Two neighbours whose noise has another scale: what the warning is about."""
    sizes = []
    for records in (RECORDS - 1, RECORDS):
        model, optimizer, _ = parts()
        data = torch.utils.data.TensorDataset(torch.randn(records, 5), torch.zeros(records, dtype=torch.int64))
        loader = torch.utils.data.DataLoader(data, batch_size=BATCH)
        settings = {"noise_multiplier": 1.1, "max_grad_norm": 1.0}
        made = PrivacyEngine(accountant="renyi").make_private(
            module=model, optimizer=optimizer, data_loader=loader, **settings
        )
        sizes.append(
            (made[1].expected_batch_size, with_public_size(made[1], expected_batch_size=30).expected_batch_size)
        )
    assert sizes == [(BATCH - 1, 30), (BATCH, 30)]


def test_refused_by_name():
    _, optimizer, _ = private()
    for wrong in (0, -1, math.nan, math.inf, "many"):
        with pytest.raises(renyi.InvalidArgument, match="^expected_batch_size: "):
            with_public_size(optimizer, expected_batch_size=wrong)
    assert optimizer.expected_batch_size == BATCH
    for wrong in (optimizer.original_optimizer, private(loss_reduction="sum")[1]):
        with pytest.raises(renyi.InvalidArgument, match="^optimizer: "):
            with_public_size(wrong, expected_batch_size=40)
