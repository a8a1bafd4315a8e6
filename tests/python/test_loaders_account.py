"""Accounts that observe loaders: what is charged, and the mistakes that are caught."""

from __future__ import annotations

import itertools
import json
import pickle
from typing import Any

import numpy as np
import pytest

import renyi
from renyi.loaders import draws

try:
    draws.poisson_records(1, 0.5)
except renyi.Unsupported:
    pytest.skip("built without exact noise", allow_module_level=True)


def poisson(steps: int = 40) -> renyi.loaders.PoissonLoader:
    return renyi.loaders.PoissonLoader(1000, rate=0.05, steps=steps, nominal_size=1000)


def allocation(epochs: int = 3) -> renyi.loaders.RandomAllocationLoader:
    return renyi.loaders.RandomAllocationLoader(1000, batches=10, epochs=epochs)


def hand_out(loader: Any, count: int) -> None:
    assert len(list(itertools.islice(iter(loader), count))) == count


def charged(account: renyi.Accountant) -> dict[Any, int]:
    return {step.what: step.count for step in account.plan.merged()}


PUBLIC: Any = {"neighbors": "zero-out"}
STEP = renyi.Gaussian(2.0).sampled(renyi.Poisson(0.05))
EPOCH = renyi.Gaussian(2.0).sampled(renyi.RandomAllocation(10))
EVERYBODY = renyi.Gaussian(2.0).sampled(renyi.Poisson(1.0))


def test_each_batch_is_charged_before_it_is_handed_out() -> None:
    account, loader = renyi.Accountant(), poisson()
    observed = account.observe(loader, noise_multiplier=2.0)
    assert account.steps == 0
    for number, batch in enumerate(loader, start=1):
        assert account.steps == number == batch.number == observed.batches
    assert account.plan == loader.plan(noise_multiplier=2.0)
    assert charged(account) == {STEP: 40}


def test_what_was_drawn_before_is_charged_too() -> None:
    account, loader = renyi.Accountant(), poisson()
    hand_out(loader, 7)
    observed = account.observe(loader, noise_multiplier=2.0)
    assert account.steps == 7 == observed.batches
    hand_out(observed, 3)
    assert account.steps == 10
    late, epochs = renyi.Accountant(neighbors="zero-out"), allocation()
    hand_out(epochs, 15)
    late.observe(epochs, noise_multiplier=2.0)
    assert charged(late) == {EPOCH: 2}
    hand_out(epochs, 5)
    assert charged(late) == {EPOCH: 2}


def test_a_refused_charge_hands_nothing_out(monkeypatch: pytest.MonkeyPatch) -> None:
    account, loader = renyi.Accountant(), poisson()
    account.observe(loader, noise_multiplier=2.0)

    def refused(step: object, count: int) -> None:
        raise renyi.InvalidArgument("budget", "spent", "less")

    monkeypatch.setattr(account, "_record", refused)
    monkeypatch.setattr(draws, "poisson_records", lambda *_: pytest.fail("drawn"))
    with pytest.raises(renyi.InvalidArgument, match="budget"):
        next(iter(loader))
    assert loader.position == 0


def test_epochs_are_charged_as_a_whole_also_if_abandoned() -> None:
    account, loader = renyi.Accountant(neighbors="zero-out"), allocation()
    account.observe(loader, noise_multiplier=2.0)
    hand_out(loader, 1)
    assert charged(account) == {EPOCH: 1}
    hand_out(loader, 9)
    assert charged(account) == {EPOCH: 1}
    hand_out(loader, 1)  # and left here
    assert charged(account) == {EPOCH: 2}
    assert loader.plan(noise_multiplier=2.0).merged()[0].count == 3


def test_several_accounts_and_loaders() -> None:
    one, other, loader = renyi.Accountant(), renyi.Accountant(neighbors="replace-one"), poisson()
    one.observe(loader, noise_multiplier=2.0)
    other.observe(loader, renyi.Laplace(4.0))
    one.observe(renyi.loaders.FixedSizeLoader(1000, 50, 10, nominal_size=1000), noise_multiplier=2.0)
    hand_out(loader, 4)
    assert charged(one) == {STEP: 4}
    assert charged(other) == {renyi.Laplace(4.0).sampled(renyi.Poisson(0.05)): 4}
    with pytest.raises(renyi.InvalidArgument, match="does not observe yet"):
        one.observe(loader, noise_multiplier=2.0)


def test_noise_may_change_between_charges_only() -> None:
    account, loader = renyi.Accountant(), poisson()
    observed = account.observe(loader, noise_multiplier=2.0)
    hand_out(loader, 3)
    observed.change(noise_multiplier=1.0)
    hand_out(loader, 2)
    assert charged(account) == {STEP: 3, renyi.Gaussian(1.0).sampled(renyi.Poisson(0.05)): 2}
    epochs = allocation()
    of_epochs = renyi.Accountant(neighbors="zero-out").observe(epochs, noise_multiplier=2.0)
    hand_out(epochs, 3)
    with pytest.raises(renyi.InvalidArgument, match="until the epoch ends"):
        of_epochs.change(noise_multiplier=1.0)
    hand_out(epochs, 7)
    of_epochs.change(noise_multiplier=1.0)
    assert of_epochs.mechanism == renyi.Gaussian(1.0)


# Checkpoints.


def test_a_resumed_training_costs_what_an_unbroken_one_does() -> None:
    for make, relation in ((poisson, "add-or-remove-one"), (allocation, "zero-out")):
        unbroken, whole = renyi.Accountant(neighbors=relation), make()
        hand_out(unbroken.observe(whole, noise_multiplier=2.0), whole.steps)
        account, loader = renyi.Accountant(neighbors=relation), make()
        hand_out(account.observe(loader, noise_multiplier=2.0), 14)
        kept = pickle.dumps((loader.state_dict(), account.state_dict()))
        del account, loader
        resumed, further = renyi.Accountant(), make()
        state, of_account = pickle.loads(kept)
        further.load_state_dict(state)
        resumed.load_state_dict(json.loads(json.dumps(of_account)))
        for _ in resumed.observe(further, noise_multiplier=2.0):
            pass
        assert charged(resumed) == charged(unbroken)
        resumed.check(steps=whole.steps)


def test_replayed_steps_are_charged_again() -> None:
    account, loader = renyi.Accountant(), poisson()
    account.observe(loader, noise_multiplier=2.0)
    hand_out(loader, 5)
    older = loader.state_dict()
    hand_out(loader, 4)
    loader.load_state_dict(older)
    hand_out(loader, 10)
    assert charged(account) == {STEP: 19}
    account.check(steps=19)
    with pytest.raises(renyi.InvalidArgument, match="steps: got another number, allowed: 19, .*replayed"):
        account.check(steps=loader.position)


def test_replayed_batches_of_an_epoch_are_charged_for_everybody() -> None:
    account, loader = renyi.Accountant(neighbors="zero-out"), allocation()
    account.observe(loader, noise_multiplier=2.0)
    hand_out(loader, 5)
    older = loader.state_dict()
    hand_out(loader, 3)
    loader.load_state_dict(older)
    assert charged(account) == {EPOCH: 1}
    hand_out(loader, 1)
    assert charged(account) == {EPOCH: 1, EVERYBODY: 1}
    hand_out(loader, 4)  # the rest of the epoch: two more replayed, two for the first time
    assert charged(account) == {EPOCH: 1, EVERYBODY: 1}
    loader.load_state_dict(older)
    hand_out(loader, 6)  # replayed once more, and a new epoch
    assert charged(account) == {EPOCH: 2, EVERYBODY: 2}


def test_an_account_that_is_kept_longer_than_the_loader_knows_of_replays() -> None:
    account, loader = renyi.Accountant(neighbors="zero-out"), allocation()
    account.observe(loader, noise_multiplier=2.0)
    hand_out(loader, 5)
    older = loader.state_dict()
    hand_out(loader, 3)
    kept = account.state_dict()  # later than the checkpoint of the loader
    resumed, again = renyi.Accountant(), allocation()
    resumed.load_state_dict(kept)
    again.load_state_dict(older)
    resumed.observe(again, noise_multiplier=2.0)
    hand_out(again, 5)
    assert charged(resumed) == {EPOCH: 1, EVERYBODY: 1}


def test_replays_before_the_account_observes_are_charged_as_well() -> None:
    for make, relation, expected in (
        (poisson, "add-or-remove-one", {STEP: 11}),
        (allocation, "zero-out", {EPOCH: 1, EVERYBODY: 1}),
    ):
        account, loader = renyi.Accountant(neighbors=relation), make()
        account.observe(loader, noise_multiplier=2.0)
        hand_out(loader, 5)
        older = loader.state_dict()
        hand_out(loader, 3)
        resumed, again = renyi.Accountant(), make()
        resumed.load_state_dict(account.state_dict())
        again.load_state_dict(older)
        hand_out(again, 2)
        resumed.observe(again, noise_multiplier=2.0)
        hand_out(again, 1)
        assert charged(resumed) == expected
        resumed.check(steps=11)


def test_an_epoch_that_the_account_lacks_is_charged_when_it_goes_on() -> None:
    account, loader = renyi.Accountant(neighbors="zero-out"), allocation()
    first = loader.state_dict()
    account.observe(loader, noise_multiplier=2.0)
    hand_out(loader, 15)
    # Elsewhere, the same training is begun once more: the second epoch is another one.
    other = allocation()
    other.load_state_dict(first)
    hand_out(other, 13)
    resumed, again = renyi.Accountant(), allocation()
    resumed.load_state_dict(account.state_dict())
    again.load_state_dict(other.state_dict())
    resumed.observe(again, noise_multiplier=2.0)
    assert charged(resumed) == {EPOCH: 2}
    hand_out(again, 2)
    assert charged(resumed) == {EPOCH: 3}


def test_an_account_sees_all_batches_or_none() -> None:
    account, loader = renyi.Accountant(), poisson()
    account.observe(loader, noise_multiplier=2.0)
    hand_out(loader, 5)
    early = account.state_dict()
    hand_out(loader, 1)
    copied = renyi.Accountant()
    copied.load_state_dict(early)
    with pytest.raises(renyi.InvalidArgument, match="5 of the 6 batches"):
        copied.observe(loader, noise_multiplier=2.0)


def test_copies_of_accounts_know_what_they_have() -> None:
    account, loader = renyi.Accountant(), poisson()
    account.observe(loader, noise_multiplier=2.0)
    hand_out(loader, 5)
    for copied in (pickle.loads(pickle.dumps(account)), renyi.Accountant()):
        copied.load_state_dict(account.state_dict())
        copied.observe(loader, noise_multiplier=2.0)
        assert copied.steps == 5
    hand_out(loader, 1)
    assert copied.steps == account.steps == 6


def test_bad_checkpoints_of_accounts_are_refused() -> None:
    account = renyi.Accountant()
    good = account.state_dict()
    assert "loaders" not in good
    counts = {"handed_out": 1, "batches": 1, "session_batches": 1, "session": "a", "epochs": {}}
    account.load_state_dict({**good, "loaders": {"a": counts}})
    assert account.state_dict()["loaders"] == {"a": counts}
    wrongs: list[Any] = [3, {"a": 3}, {"a": {}}, {"a": {**counts, "handed_out": -1}}]
    for wrong in [*wrongs, {"a": {**counts, "batches": True}}, {"a": {**counts, "epochs": {"b": "c"}}}]:
        with pytest.raises(renyi.InvalidArgument, match="loaders"):
            account.load_state_dict({**good, "loaders": wrong})


# The five mistakes, and their relatives. Each training below is one that people have asked about in public.


def test_mistake_1_a_rate_from_something_else_than_the_records() -> None:
    """The number of batches, or of draws of a sampler, in place of the records: the rate is wrong by a large factor."""
    loader = renyi.loaders.PoissonLoader(100_000, batch_size=16, steps=1000, neighbors="zero-out")
    account = renyi.Accountant()
    hand_out(account.observe(loader, noise_multiplier=1.0), 8)
    wrong = 1 / 8  # eight batches an epoch, because a sampler draws 128 records
    for claim in (
        lambda: loader.check(sampling_rate=wrong),
        lambda: account.check(sampling_rate=wrong),
        lambda: account.step(noise_multiplier=1.0, sampling_rate=wrong),
    ):
        with pytest.raises(renyi.InvalidArgument, match=r"sampling_rate: got 0.125, allowed: 0.00016, .*781.25 times"):
            claim()
    assert account.steps == 8
    with pytest.raises(renyi.InvalidArgument, match="dataset_size: got 128, allowed: 100000"):
        loader.check(dataset_size=128)
    with pytest.raises(renyi.InvalidArgument, match="batch_size: got 128, allowed: 16, the expected"):
        loader.check(batch_size=128)
    # One over the number of batches is not the rate where the last batch is smaller.
    partial = renyi.loaders.PoissonLoader(60_000, batch_size=256, steps=235, neighbors="zero-out")
    with pytest.raises(renyi.InvalidArgument, match="sampling_rate: got 0.00425.*allowed: 0.00426"):
        partial.check(sampling_rate=1 / 235)
    partial.check(sampling_rate=256 / 60_000, steps=235, batch_size=256, dataset_size=60_000)


@pytest.mark.parametrize(
    "loader, name",
    [
        (renyi.loaders.RandomAllocationLoader(1000, 20, **PUBLIC), "epochs of random allocation"),
        (renyi.loaders.FixedSizeLoader(1000, 50, 20, **PUBLIC), "batches of a fixed size"),
        (
            renyi.loaders.TruncatedPoissonLoader(1000, rate=0.05, batch_limit=60, steps=20, **PUBLIC),
            "limit on the batch",
        ),
    ],
)
def test_mistake_2_other_batches_accounted_as_poisson_samples(loader: renyi.loaders.Loader, name: str) -> None:
    """Shuffled loaders are in test_loaders_torch.py."""
    account = renyi.Accountant(neighbors="zero-out")
    account.observe(loader, noise_multiplier=1.0)
    hand_out(loader, 1)
    for claim in (
        lambda: account.check(sampling_rate=0.05),
        lambda: account.step(noise_multiplier=1.0, sampling_rate=0.05),
        lambda: loader.check(sampling_rate=0.05),
    ):
        with pytest.raises(renyi.InvalidArgument, match=f"sampling_rate: got 0.05, allowed: nothing: .*{name}"):
            claim()


def test_mistake_3_noise_once_for_several_batches_or_for_parts_of_one() -> None:
    account, loader = renyi.Accountant(), renyi.loaders.PoissonLoader(1000, rate=0.05, steps=40, **PUBLIC)
    account.observe(loader, noise_multiplier=2.0)
    updates = parts = 0
    for batch in loader:
        parts += sum(1 for _ in renyi.loaders.microbatches(batch, 5))
        updates += batch.number % 4 == 0  # the wrong loop: one update for four batches
    with pytest.raises(renyi.InvalidArgument, match="steps: got 10, allowed: 40, .*4 batches .*gradient accumulation"):
        account.check(steps=updates)
    with pytest.raises(renyi.InvalidArgument, match="steps: got 80, allowed: 40, .*2 steps .*physical parts"):
        account.check(steps=80)
    assert parts > 40
    account.check(steps=40)
    assert account.steps == 40  # parts cost nothing more


def test_mistake_4_steps_that_were_rounded_or_dropped() -> None:
    loader = renyi.loaders.PoissonLoader(60_000, batch_size=256, steps=705, neighbors="zero-out")
    with pytest.raises(renyi.InvalidArgument, match="steps: got 702, allowed: 705, .*smaller last one"):
        loader.check(steps=3 * (60_000 // 256))
    account = renyi.Accountant()
    hand_out(account.observe(loader, noise_multiplier=1.0), 235)
    with pytest.raises(renyi.InvalidArgument, match="steps: got 234, allowed: 235"):
        account.check(steps=60_000 // 256)


def test_mistake_5_a_resumed_training_whose_account_begins_anew() -> None:
    account, loader = renyi.Accountant(), poisson()
    account.observe(loader, noise_multiplier=2.0)
    hand_out(loader, 10)
    early = account.state_dict()
    hand_out(loader, 10)
    state = loader.state_dict()
    for stale, known in ((None, 0), (early, 10)):
        resumed, further = renyi.Accountant(), poisson()
        if stale is not None:
            resumed.load_state_dict(stale)
        further.load_state_dict(state)
        with pytest.raises(renyi.InvalidArgument, match=f"knows of {known} batches, .* handed out 20"):
            resumed.observe(further, noise_multiplier=2.0)
        # The same where the account observes first.
        waiting = poisson()
        resumed.observe(waiting, noise_multiplier=2.0)
        with pytest.raises(renyi.InvalidArgument, match=f"knows of {known} batches, .* handed out 20"):
            waiting.load_state_dict(state)
        assert waiting.position == 0
    # Charged by hand beside the loader: every step would count twice.
    for twice in (
        lambda: account.step(noise_multiplier=2.0, sampling_rate=0.05),
        lambda: account.step(noise_multiplier=2.0),
        lambda: account.step(STEP),
        lambda: account.step(renyi.SampledGaussian(0.05, 2.0)),
    ):
        with pytest.raises(renyi.InvalidArgument, match="step: got .*, beside 20 batches, allowed: nothing"):
            twice()
    with pytest.raises(renyi.InvalidArgument, match="noise_multiplier: got another number, allowed: that of Gaussian"):
        account.step(noise_multiplier=1.0, sampling_rate=0.05)
    assert charged(account) == {STEP: 20}
    account.step(renyi.Laplace(30.0))  # something else beside the training
    assert account.steps == 21


def test_dividing_by_the_number_of_records_drawn_is_refused() -> None:
    loader = poisson()
    batch = next(batch for batch in loader if batch.indices.size != 50)
    with pytest.raises(renyi.Unsupported, match="expected_batch_size"):
        len(batch)
    with pytest.raises(renyi.InvalidArgument, match="divisor.*allowed: 50") as error:
        loader.mean(np.ones(3), batch.indices.size)
    assert str(batch.indices.size) not in str(error.value).replace("50", "")


def test_check_needs_a_loader() -> None:
    with pytest.raises(renyi.InvalidArgument, match="loader: got none"):
        renyi.Accountant().check(steps=3)
    with pytest.raises(renyi.InvalidArgument, match="data_loader: got int"):
        renyi.Accountant().observe(3, noise_multiplier=1.0)


# Ledgers.


def paying(tmp_path: Any, epoch: Any, epochs: int, **options: Any) -> renyi.LedgerAccountant:
    ledger = renyi.Ledger.create(tmp_path / "models.ledger")
    ledger.add_scope("models", renyi.Budget.curve_of(epoch * epochs))
    return renyi.LedgerAccountant(ledger, "models", noise_multiplier=2.0, **options)


def test_a_ledger_pays_for_the_epochs_of_a_loader(tmp_path: Any) -> None:
    account, loader = paying(tmp_path, EPOCH, 2, steps_per_epoch=10), allocation()
    with pytest.raises(renyi.BudgetExceeded):
        while True:
            for batch in account.paid(loader):
                account.step(noise_multiplier=2.0)
    assert account.epochs == 2 and loader.position == 20
    assert [tuple(step) for step in account.plan.merged()] == [(EPOCH, 2)]


def test_a_ledger_refuses_a_loader_that_draws_otherwise(tmp_path: Any) -> None:
    account, loader = paying(tmp_path, STEP, 60, steps_per_epoch=20, sampling_rate=0.1), poisson(50)
    with pytest.raises(renyi.InvalidArgument, match="sampling_rate: got another number, allowed: 0.05"):
        next(account.paid(loader))
    with pytest.raises(renyi.InvalidArgument, match="steps: got another number, allowed: 20"):
        next(account.paid(loader, sampling_rate=0.05, steps=50))
    refused = "sampling_rate: got another number, allowed: nothing: .*allocation"
    with pytest.raises(renyi.InvalidArgument, match=refused):
        next(account.paid(allocation()))
    assert account.plan.steps == ()
    sizes = [sum(1 for _ in account.paid(loader, sampling_rate=0.05)) for _ in range(3)]
    assert sizes == [20, 20, 10]  # the last epoch is short, and paid for as such
    assert [tuple(step) for step in account.plan.merged()] == [(STEP, 50)]
    with pytest.raises(renyi.InvalidArgument, match="loader: got a loader after batch 50 of 50"):
        next(account.paid(loader, sampling_rate=0.05))
