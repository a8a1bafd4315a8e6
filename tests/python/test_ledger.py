"""The ledger from Python: charges, tickets, keys, the log, faults, threads and forks. The same tests run on a ledger
in a file and on one that a server keeps."""

import datetime
import os
import pickle
import subprocess
import threading

import pytest

import renyi
from renyi import BlockRule, Budget, Gaussian, Ledger, PureDp, SampledGaussian
from served import Served
from support import COMMAND

HALF = Gaussian(1.0)  # rho 0.5
EIGHTH = Gaussian(2.0)  # rho 0.125


@pytest.fixture
def path(tmp_path):
    return tmp_path / "test.ledger"


@pytest.fixture
def local(path):
    made = Ledger.create(path)
    made.add_scope("clinic", Budget.zcdp(0.5))
    return made


@pytest.fixture(params=["file", "server"])
def ledger(request, path, tmp_path):
    if request.param == "file":
        yield request.getfixturevalue("local")
        return
    if not COMMAND.exists():
        pytest.skip("an installed package")
    Ledger.create(path)
    with Served(tmp_path / "data", "--ledger", path, has_token=True) as server, server.client() as client:
        client.add_scope("clinic", Budget.zcdp(0.5))
        yield client


def recorded(ledger, person):
    """Who stands in the log: a server knows the name of the token, and who asks by it."""
    if isinstance(ledger, Ledger):
        return person
    return f"admin for {person}" if person else "admin"


def spent(ledger, scope="clinic"):
    return round(ledger.scope(scope).balances[0].spent, 9)


def verbs(ledger):
    return [entry.verb for entry in ledger.history()]


def test_a_charge_is_one_entry_and_is_kept(ledger, path):
    ticket = ledger.charge("clinic", EIGHTH, person="mira", comment="visits")
    assert ticket.state == "committed" and ticket.receipt and ticket.number == ticket.receipt.entry == 2
    assert verbs(ledger) == ["init", "scope", "charge"] and spent(Ledger(path)) == 0.125
    entry = list(ledger.history())[-1]
    assert entry.request["person"] == recorded(ledger, "mira") and entry.request["comment"] == "visits"
    assert abs(entry.time - datetime.datetime.now(datetime.timezone.utc)) < datetime.timedelta(hours=1)
    assert entry.time == ticket.receipt.time and entry.hash == ticket.receipt.hash == ledger.head().hash
    assert ("after entry 2" if isinstance(ledger, Ledger) else ledger.url) in repr(ledger)
    assert "Ticket 2" in repr(ticket)


def test_what_does_not_fit_is_refused_and_says_what_would(ledger):
    ledger.add_scope("clinic/a", Budget.gdp(10))
    ledger.charge("clinic/a", EIGHTH)
    with pytest.raises(renyi.BudgetExceeded) as refused:
        ledger.charge("clinic/a", HALF)
    error = refused.value
    assert error.receipt.refused_by == "clinic" and not error.receipt and error.receipt.entry == 4
    assert error.left["clinic"]["rho"].left == pytest.approx(0.375) and set(error.left) == {"clinic", "clinic/a"}
    assert error.receipt.fitting_count == 0 and error.fitting_step.parameter == "noise_multiplier"
    assert ledger.charge("clinic/a", Gaussian(error.fitting_step.value)).receipt
    assert verbs(ledger)[-2:] == ["charge", "charge"] and ledger.verify()
    again = pickle.loads(pickle.dumps(error))
    assert str(again) == str(error) and again.receipt == error.receipt


def test_may_run_records_nothing(ledger):
    before = ledger.head()
    assert ledger.may_run("clinic", EIGHTH, 4) and not ledger.may_run("clinic", EIGHTH, count=5)
    assert ledger.may_run("clinic", noise_multiplier=4, sampling_rate=0.1).time is None
    assert ledger.head() == before


def test_a_with_block_runs_after_the_charge_and_once(ledger):
    ran = []
    for _ in range(2):
        try:
            with ledger.charge("clinic", EIGHTH, key="november") as ticket:
                ran.append(spent(ledger))
                with pytest.raises(renyi.Unsupported, match="reserve"):
                    ticket.output = b"x"
        except renyi.AlreadyOpened as error:
            ran.append(error.output)
    assert ran == [0.125, None] and spent(ledger) == 0.125
    with pytest.raises(renyi.AlreadyOpened):
        with ticket:
            ran.append("again")
    with pytest.raises(ZeroDivisionError):
        with ledger.charge("clinic", EIGHTH):
            1 / 0
    assert spent(ledger) == 0.25 and len(ran) == 2


def test_a_reservation_is_opened_and_committed_by_its_block(ledger):
    with ledger.reserve("clinic", EIGHTH, key="november") as ticket:
        assert ledger.ticket(ticket.number).state == "opened" and ticket.state == "opened"
        ticket.output = bytearray(b"1203 \x00 visits")
    assert ticket.state == "committed" and ledger.output(ticket.number) == b"1203 \x00 visits"
    with pytest.raises(renyi.AlreadyOpened) as again:
        with ledger.reserve("clinic", EIGHTH, key="november"):
            pytest.fail("a second draw")
    assert pickle.loads(pickle.dumps(again.value)).output == again.value.output
    assert again.value.output == b"1203 \x00 visits" and again.value.receipt.ticket == ticket.number
    assert verbs(ledger) == ["init", "scope", "reserve", "open", "commit", "open"] and spent(ledger) == 0.125


def test_a_block_that_raises_stays_opened_and_spent(ledger):
    with pytest.raises(KeyboardInterrupt):
        with ledger.reserve("clinic", EIGHTH, key="k") as ticket:
            raise KeyboardInterrupt
    assert ledger.ticket(ticket.number).state == "opened" and spent(ledger) == 0.125
    with pytest.raises(renyi.AlreadyOpened) as again:
        with ledger.reserve("clinic", EIGHTH, key="k"):
            pytest.fail("a second draw")
    assert again.value.output is None
    with pytest.raises(renyi.Refused):
        ticket.cancel()
    ticket.commit(b"late")
    assert ledger.output(ticket.number) == b"late"


def test_tickets_by_hand_and_between_processes(ledger, path):
    ticket = ledger.reserve("clinic", HALF, expires_in=60)
    minute = ticket.receipt.expires - ticket.receipt.time  # two readings of the clock
    assert abs(minute - datetime.timedelta(seconds=60)) < datetime.timedelta(seconds=5)
    assert ticket.secret and ticket.secret not in repr(ticket.receipt)
    with pytest.raises(renyi.BudgetExceeded):
        ledger.charge("clinic", EIGHTH)
    other = Ledger(path)
    with pytest.raises(renyi.Refused, match="open it first"):
        other.commit(ticket.number)
    with pytest.raises(renyi.Refused, match="secret"):
        other.open(ticket.number, "guessed")
    assert other.open(ticket.number, ticket.secret, key="o").state == "opened"
    assert other.open(ticket.number, ticket.secret, key="o").repeated
    with pytest.raises(renyi.AlreadyOpened):
        ticket.open()
    assert other.commit(ticket.number, sha256="0" * 64) and ledger.output(ticket.number) is None
    assert ledger.scope("clinic").reserved == 0 and ledger.verify()


def test_what_is_cancelled_goes_back_where_the_scope_allows_it(ledger):
    ticket = ledger.reserve("clinic", HALF, expires_in=datetime.timedelta(days=2))
    assert ledger.scope("clinic").reserved == 1
    assert ticket.cancel() and ticket.state == "cancelled" and spent(ledger) == 0
    with pytest.raises(renyi.Refused):
        with ticket:
            pytest.fail("it was cancelled")
    ledger.add_scope("strict", Budget.zcdp(1), may_cancel=False)
    with pytest.raises(renyi.Refused, match="strict"):
        ledger.reserve("strict", HALF).cancel()


def test_keys_are_answers(ledger):
    first = ledger.charge("clinic", EIGHTH, key="k").receipt
    again = ledger.charge("clinic", EIGHTH, key="k").receipt
    assert not first.repeated and again.repeated and first.hash == again.hash
    with pytest.raises(renyi.InvalidArgument, match="key"):
        ledger.charge("clinic", HALF, key="k")
    assert ledger.answer_to("k").entry == first.entry and ledger.answer_to("other") is None
    with pytest.raises(renyi.BudgetExceeded):
        ledger.charge("clinic", Gaussian(0.5), key="r")
    with pytest.raises(renyi.BudgetExceeded) as refused:
        ledger.charge("clinic", Gaussian(0.5), key="r")
    assert refused.value.receipt.repeated


def test_many_charges_in_one_write(ledger):
    receipts = ledger.charge_all([{"scope": "clinic", "step": EIGHTH, "key": str(i)} for i in range(5)])
    assert [receipt.accepted for receipt in receipts] == [True] * 4 + [False]
    assert [receipt.entry for receipt in receipts] == [2, 3, 4, 5, 6]
    before = ledger.head()
    for bad in ({"scope": "clinic", "steps": 3}, {"step": EIGHTH}, ["clinic"], {"scope": "clinic", "step": 3}):
        with pytest.raises(renyi.InvalidArgument):
            ledger.charge_all([{"scope": "clinic", "step": Gaussian(100)}, bad])
    assert ledger.head() == before


def test_scopes_have_settings(ledger):
    relation = {"neighbors": "replace-one", "unit": 3}
    ledger.add_scope("o", Budget.zcdp(1), cap=Budget.zcdp(2), analysts_may_collude=False, **relation)
    ledger.add_scope("o/a", {"kind": "zcdp", "rho": 1})
    found = ledger.scope("o/a")
    assert (found.neighbors, found.unit, found.cap) == ("replace-one", 3, found.budget)
    assert "shared" in ledger.scope("o").note and not ledger.scope("o").analysts_may_collude
    ledger.lower_budget("o", Budget.zcdp(0.5))
    assert ledger.scope("o").budget == Budget.zcdp(0.5)
    with pytest.raises(renyi.InvalidArgument, match="budget"):
        ledger.lower_budget("o", Budget.zcdp(0.75))
    ledger.raise_budget("o", Budget.zcdp(2), reason="the board agreed")
    with pytest.raises(renyi.InvalidArgument):
        ledger.raise_budget("o", Budget.zcdp(3), reason="more")
    with pytest.raises(renyi.InvalidArgument):
        ledger.add_scope("o/b", Budget.zcdp(1), neighbors="zero-out")
    with pytest.raises(renyi.InvalidArgument, match="neighbors"):
        ledger.charge("o", renyi.Plan(neighbors="zero-out") + EIGHTH)
    assert ledger.charge("o/a", renyi.Plan(neighbors="replace-one", unit=3) + Gaussian(9.0))
    assert [scope.name for scope in ledger.scopes()] == ["clinic", "o", "o/a"]


def test_blocks_run_in_parallel_where_the_rule_says_so(ledger):
    rule = BlockRule("the month of the visit", unit_in_one_block=True)
    ledger.add_scope("visits", Budget.zcdp(0.5), block_rule=rule, blocks=["2026-10", "2026-11"], key="s")
    ledger.add_blocks("visits", ["2026-12"])
    for month in ("2026-10", "2026-11", "2026-12"):
        ledger.charge("visits", HALF, blocks=[month])
    with pytest.raises(renyi.BudgetExceeded):
        ledger.charge("visits", EIGHTH, blocks=["2026-10"])
    found = ledger.scope("visits")
    assert found.block_rule == rule and found.blocks == ("2026-10", "2026-11", "2026-12") and found.charges == 3


def test_the_history_is_filtered_and_paged(ledger, monkeypatch):
    monkeypatch.setattr(renyi.ledger, "_PAGE", 2)
    ledger.add_scope("lab", Budget.zcdp(1))
    for person in ("mira", "jonas", "mira"):
        ledger.charge("clinic", Gaussian(100), person=person)
    assert [entry.entry for entry in ledger.history()] == [0, 1, 2, 3, 4, 5]
    assert [entry.entry for entry in ledger.history("clinic", person=recorded(ledger, "mira"))] == [3, 5]
    assert [entry.entry for entry in ledger.history(after=1, most=3)] == [2, 3, 4]
    assert list(ledger.history(most=0)) == [] == list(ledger.history(until="2020"))
    now = datetime.datetime.now(datetime.timezone.utc)
    assert len(list(ledger.history(since=now - datetime.timedelta(days=1)))) == 6
    assert list(ledger.history(since=now + datetime.timedelta(days=1))) == []
    tokyo = datetime.timezone(datetime.timedelta(hours=9))
    assert list(ledger.history(since=(now + datetime.timedelta(days=1)).astimezone(tokyo))) == []
    with pytest.raises(renyi.InvalidArgument):
        ledger.history(most=-1)


def test_the_last_entries_and_what_is_pending_or_released(ledger):
    numbers = lambda **asked: [entry.entry for entry in ledger.history(**asked)]  # noqa: E731
    old, kept = ledger.reserve("clinic", Gaussian(8.0)), ledger.reserve("clinic", Gaussian(8.0))
    with kept as ticket:
        ticket.output = b"1203"
    with ledger.charge("clinic", Gaussian(8.0)):
        pass
    ledger.cancel(ledger.reserve("clinic", Gaussian(8.0)).number)
    assert numbers(of="pending") == [old.number] == [2] and numbers(of="releases") == [5]
    (release,) = ledger.history(of="releases")
    assert release.request["ticket"] == kept.number and len(release.request["output_sha256"]) == 64
    assert numbers(last=3) == [6, 7, 8] and numbers(last=2, before=6) == [4, 5] and numbers(last=0) == []
    assert numbers(after=1, before=4) == [2, 3] and numbers(last=9999) == list(range(9))
    assert numbers(scope="clinic", of="releases", last=1) == [5] and numbers(of="pending", before=2) == []
    for wrong, field in (({"last": 1, "most": 1}, "last"), ({"last": -1}, "last"), ({"of": "all"}, "of"), ({"before": -1}, "before")):
        with pytest.raises(renyi.InvalidArgument) as caught:
            numbers(**wrong)
        assert caught.value.field == field


def test_a_verification_goes_on(ledger):
    first = ledger.verify(resume=True)
    assert first and first.resumed_after is None
    ledger.charge("clinic", EIGHTH)
    again = ledger.verify(resume=True)
    assert again and again.entries == first.entries + 1 and again.resumed_after == first.entries - 1
    whole = ledger.verify()
    assert whole and whole.resumed_after is None and whole.entries == again.entries



def test_heads_exports_and_imports(ledger, tmp_path):
    kept = ledger.head()
    ledger.charge("clinic", EIGHTH)
    log = tmp_path / "log.jsonl"
    assert ledger.export(log) == ledger.head()
    with pytest.raises(FileExistsError):
        ledger.export(log)
    assert Ledger.verify_log(log, kept) and log.read_text().count("\n") == 3
    made = Ledger.import_log(log, tmp_path / "new.ledger")
    assert made.head().ledger != kept.ledger and spent(made) == 0.125 and made.verify(kept)
    log.write_text(log.read_text().replace("0.5", "0.6", 1))
    found = Ledger.verify_log(log)
    assert not found and found.wrong_entry is not None and found.fault
    with pytest.raises(renyi.InvalidArgument):
        Ledger.import_log(log, tmp_path / "other.ledger")
    assert not ledger.verify(renyi.LedgerHead(kept.ledger, 99, kept.hash))
    with pytest.raises(renyi.InvalidArgument):
        renyi.LedgerHead.from_json("[]")


def test_heads_are_signed(ledger, tmp_path):
    private, public = tmp_path / "private.pem", tmp_path / "public.pem"
    subprocess.run(["openssl", "genpkey", "-algorithm", "ed25519", "-out", private], check=True)
    subprocess.run(["openssl", "pkey", "-in", private, "-pubout", "-out", public], check=True)
    head = ledger.head()
    signature = head.sign(private.read_text())
    assert head.is_signed(signature, public.read_text())
    assert not renyi.LedgerHead(head.ledger, head.entry + 1, head.hash).is_signed(signature, public.read_text())


def test_a_witness_notices_an_older_copy(path, tmp_path):
    made = Ledger.create(path, tmp_path / "witness")
    assert made.has_witness
    made.add_scope("clinic", Budget.zcdp(0.5))
    del made
    copies = {name: name.read_bytes() for name in tmp_path.glob("test.ledger*")}
    Ledger(path).charge("clinic", EIGHTH)
    for name in tmp_path.glob("test.ledger*"):
        name.unlink()
    for name, content in copies.items():
        name.write_bytes(content)
    with pytest.raises(renyi.StoreFailure) as failed:
        Ledger(path)
    assert failed.value.fault in ("rolled_back", "copied") and failed.value.field == "ledger"
    assert pickle.loads(pickle.dumps(failed.value)).fault == failed.value.fault


@pytest.mark.parametrize(
    "wrong",
    [
        lambda ledger, path: Ledger.create(path),
        lambda ledger, path: Ledger(path.with_name("absent")),
        lambda ledger, path: Ledger(3),
        lambda ledger, path: Ledger(path, patience=-1),
        lambda ledger, path: ledger.charge("nowhere", EIGHTH),
        lambda ledger, path: ledger.charge("clinic", EIGHTH, 0),
        lambda ledger, path: ledger.charge("clinic", EIGHTH, steps=3),
        lambda ledger, path: ledger.charge("clinic", EIGHTH, blocks="ab"),
        lambda ledger, path: ledger.charge("clinic", EIGHTH, key="two\nlines"),
        lambda ledger, path: ledger.charge("clinic", EIGHTH, key=3),
        lambda ledger, path: ledger.reserve("clinic", EIGHTH, expires_in=0),
        lambda ledger, path: ledger.reserve("clinic", EIGHTH, expires_in="soon"),
        lambda ledger, path: ledger.add_scope("clinic", Budget.zcdp(1)),
        lambda ledger, path: ledger.add_scope("other", 0.5),
        lambda ledger, path: ledger.add_scope("other", Budget.zcdp(1), block_rule="months"),
        lambda ledger, path: ledger.commit(1, "text"),
        lambda ledger, path: ledger.ticket(1),
        lambda ledger, path: ledger.scope("nowhere"),
    ],
)
def test_bad_input_changes_nothing(ledger, path, wrong):
    before = ledger.head()
    with pytest.raises(renyi.InvalidArgument):
        wrong(ledger, path)
    assert ledger.head() == before


def test_steps_without_a_price_are_unsupported(ledger):
    ledger.add_scope("pure", Budget.pure(1))
    with pytest.raises(renyi.Unsupported):
        ledger.charge("pure", EIGHTH)
    assert ledger.charge("pure", PureDp(0.1), 10)


def test_threads_spend_exactly_the_budget(ledger):
    accepted, wait = [], threading.Barrier(8)

    def work():
        wait.wait()
        for _ in range(5):
            try:
                accepted.append(ledger.charge("clinic", Gaussian(4.0)))  # rho 1/32
            except renyi.BudgetExceeded:
                pass

    threads = [threading.Thread(target=work) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(accepted) == 16 and spent(ledger) == 0.5 and ledger.verify()


def test_a_forked_process_opens_the_ledger_again(local, path):
    ledger = local
    child = os.fork()
    if child == 0:
        status = 1
        try:
            ledger.charge("clinic", EIGHTH)
        except renyi.Unsupported:
            status = 0 if Ledger(path).charge("clinic", EIGHTH) else 2
        del ledger
        os._exit(status)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
    assert ledger.charge("clinic", EIGHTH) and spent(ledger) == 0.25 and ledger.verify()


def epochs(ledger, scope="models", **options):
    given = {"steps_per_epoch": 10, "noise_multiplier": 1.1, "sampling_rate": 0.01, **options}
    return renyi.LedgerAccountant(ledger, scope, **given)


@pytest.fixture
def models(ledger):
    ledger.add_scope("models", Budget.curve_of(SampledGaussian(0.01, 1.1) * 25))
    return ledger


def test_epochs_are_paid_for_before_they_begin(models):
    account = epochs(models, run="r", person="mira")
    for _ in range(2):
        batches = account.paid(range(10))
        assert verbs(models)[-1] in ("scope", "commit")  # nothing is read, and nothing paid, before the first batch
        for _ in batches:
            assert verbs(models)[-1] == "open"
            account.step(noise_multiplier=1.1, sampling_rate=0.01)
    with pytest.raises(renyi.BudgetExceeded) as refused:
        next(account.paid(range(10)))
    assert refused.value.receipt.fitting_count == 5 and account.epochs == 2 and account.steps_left == 0
    with account.epoch(steps=5):
        assert account.steps_left == 5
    assert account.plan == SampledGaussian(0.01, 1.1) * 25
    assert account.epsilon(1e-5) <= float(renyi.epsilon(account.plan, delta=1e-5)) + 1e-12
    known = {recorded(models, None), recorded(models, "mira")}
    assert {entry.request.get("person") for entry in models.history("models")} == known


def test_steps_that_were_not_paid_for_are_errors(models):
    account = epochs(models)
    with pytest.raises(renyi.InvalidArgument, match="not begun"):
        account.step()
    with pytest.raises(renyi.InvalidArgument):
        account.end_epoch()
    account.begin_epoch()
    with pytest.raises(renyi.InvalidArgument, match="end_epoch"):
        account.begin_epoch()
    with pytest.raises(renyi.InvalidArgument, match="noise_multiplier"):
        account.step(noise_multiplier=1.0)
    for _ in range(10):
        account.step()
    with pytest.raises(renyi.InvalidArgument, match="after the last"):
        account.step()
    account.end_epoch()
    for options in ({"steps_per_epoch": 0}, {"epochs": -1}, {"noise_multiplier": -1.0}):
        with pytest.raises(renyi.InvalidArgument):
            epochs(models, **options).begin_epoch()
    with pytest.raises(renyi.InvalidArgument):
        renyi.LedgerAccountant("models.ledger", "models", steps_per_epoch=1)


def test_an_epoch_of_a_run_is_trained_once(models):
    account = epochs(models, run="night")
    with pytest.raises(RuntimeError):
        with account.epoch():
            raise RuntimeError("the machine stopped")
    with pytest.raises(renyi.AlreadyOpened):
        epochs(models, run="night").begin_epoch()
    further = epochs(models, run="night", epochs=1)
    with further.epoch():
        pass
    with pytest.raises(renyi.BudgetExceeded):
        further.begin_epoch()
    with pytest.raises(renyi.BudgetExceeded):  # asked again: a refusal is not remembered
        epochs(models, run="night", epochs=2, steps_per_epoch=9).begin_epoch()
    assert epochs(models, run="night", epochs=2, steps_per_epoch=5).begin_epoch()
    reserved = [entry for entry in models.history("models") if entry.verb == "reserve" and entry.outcome["accepted"]]
    states = [models.ticket(entry.entry).state for entry in reserved]
    assert account.epochs == 1 and further.epochs == 2 and states == ["opened", "committed", "opened"]
