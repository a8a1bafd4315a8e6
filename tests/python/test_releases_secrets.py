"""renyi.release: values enter exactly, and no exception, warning, log or output of a failure repeats one."""

import json
import logging
import os
import pathlib
import shutil
import subprocess
import sys
import traceback
import warnings
from decimal import Decimal
from fractions import Fraction

import numpy as np
import pytest

import renyi
from renyi.releases import _request, _written

SECRET = "8093617"
NATIVE = pathlib.Path(os.environ.get("RENYI_BINARY") or pathlib.Path(__file__).parents[2] / "build/bin/renyi")
TEXT = (
    '{"renyi-release":1,"budget":{"rho":1e-9},"statistics":[{"name":"a","value":8093617,"integer":true,'
    '"l2_sensitivity":1},{"name":"b","bins":["x","y"],"values":[8093617.5,-8093617],"l1_sensitivity":2,"weight":1}]}'
)
ROW = {"name": "a", "value": 1, "l2_sensitivity": 1}


def leaked(text):
    return [SECRET[i : i + 4] for i in range(len(SECRET) - 3) if SECRET[i : i + 4] in text]


def all_of(error):
    """Every text that an exception and those it came from may show."""
    seen = []
    while error is not None:
        # The lines of code of a traceback may quote the test itself, so only messages are taken.
        seen += traceback.format_exception_only(type(error), error) + [repr(error.args), repr(vars(error))]
        error = error.__cause__ or error.__context__
    return "\n".join(seen)


def refused(values, capfd, caplog):
    with warnings.catch_warnings(record=True) as warned:
        warnings.simplefilter("always")
        with caplog.at_level(logging.DEBUG):
            try:
                renyi.release(values, ledger=None, **({} if isinstance(values, str) else {"rho": 1e-9}))
                shown = ""
            except renyi.Unsupported as error:
                pytest.skip(str(error)) if "exact noise" in str(error) else None
                shown = all_of(error)
            except Exception as error:  # whatever it is, it may not repeat a value
                shown = all_of(error)
    for text in (shown, *capfd.readouterr(), caplog.text, *(str(one.message) for one in warned)):
        assert not leaked(text), (text, values)
    return shown


def damaged(every):
    texts = [TEXT[:at] for at in range(len(TEXT))]
    for at in range(len(TEXT)):
        texts += [TEXT[:at] + more + TEXT[at:] for more in ("7", "x", '"', ",", "}", SECRET)]
    return texts[::every]


def test_no_text_is_repeated(capfd, caplog):
    texts = [*damaged(11), TEXT[: TEXT.index(SECRET) + len(SECRET)]]
    assert sum(1 for text in texts if refused(text, capfd, caplog)) > len(texts) / 2


class Unwilling:
    def __repr__(self):
        return SECRET


class Frame:
    columns = ("name", "value", "max_bins")

    def __init__(self, rows):
        self.rows = rows

    def to_dict(self, kind):
        return self.rows


def test_nothing_of_another_type_is_repeated(capfd, caplog):
    number = int(SECRET)
    itself = []
    itself.append(itself)
    forms = [number, SECRET, SECRET + "abc", [number], {SECRET: 1}, {number: 1}, Unwilling(), (SECRET,), None]
    for key in (*ROW, "weight", "max_bins", "mechanism", "bins", "values", SECRET, number):
        for form in forms:
            refused([{**ROW, key: form}], capfd, caplog)
            refused({"a": {**ROW, key: form}}, capfd, caplog)
            refused(Frame([{**ROW, key: form}]), capfd, caplog)
            refused(Frame([{**ROW, "histogram": "h"}, {**ROW, "histogram": "h", key: form}]), capfd, caplog)
    for wrong in (*forms, itself, {SECRET: number}, [{**ROW, "value": itself}]):
        assert refused(wrong, capfd, caplog)


def test_the_command_repeats_nothing(tmp_path):
    if not NATIVE.exists():
        pytest.skip("there is no native command (make build)")
    csv = f"name,value,integer,l2_sensitivity\na,{SECRET},true,1\nb,{SECRET}.5,,1\n"
    wrong = [csv.replace("value", "max_records"), csv.replace("true", SECRET), csv.replace(",1\n", f",{SECRET}x\n")]
    wrong += [csv.replace(SECRET, SECRET + "abc"), csv.replace("name", SECRET), csv.replace("a,", ""), csv[:-6] + ",,,,"]
    for text in [*damaged(97), *wrong]:
        done = subprocess.run(
            [NATIVE, "release", "-", "--rho", "1e-9", "--no-ledger", "--out", tmp_path / "out", "--force"],
            input=text, capture_output=True, text=True, check=False,
        )
        assert not leaked(done.stderr), text
        assert done.returncode == 0 or not leaked(done.stdout), text
    assert done.returncode == 2


@pytest.mark.parametrize(
    "value, written",
    [
        (2**62 + 500, "4611686018427388404"),
        (Decimal("4611686018427388404.5"), "4611686018427388404.5"),
        (Fraction(1, 3), '"1/3"'),
        (0.1, '"3602879701896397/36028797018963968"'),
        (np.float32(0.5), '"1/2"'),
        (np.int64(2**62), "4611686018427387904"),
        (np.longdouble(2) ** 62 + np.longdouble(0.5), '"9223372036854775809/2"'),
        (np.array(2.5), '"5/2"'),
        (float("nan"), "NaN"),
        (-float("inf"), "-Infinity"),
        (Decimal("NaN8093617"), "NaN"),
        (Decimal("1e999999"), "1E+999999"),
        (10**5000, "1" + "0" * 400),
        (Fraction(10**5000, 3), '"1' + "0" * 5000 + '/3"'),
    ],
    ids=lambda one: type(one).__name__,
)
def test_values_are_written_exactly(value, written):
    assert f'"value":{written}' in _written(_request([{**ROW, "value": value}]))
    text = _written(_request([{"name": "h", "bins": ["a"], "values": [value], "l2_sensitivity": 0.1}]))
    assert f'"values":[{written}]' in text and '"l2_sensitivity":0.1' in text


def test_numbers_of_a_text_stay_as_they_are_written():
    for number in ("4611686018427388404.5", "0.1", "1e-999", "9" * 6000, "NaN", "-Infinity"):
        text = '{"renyi-release":1,"statistics":[{"name":"a","value":%s}]}' % number
        assert json.loads(_written(_request(text)), parse_int=str, parse_float=str, parse_constant=str) == {
            "renyi-release": "1", "statistics": [{"name": "a", "value": number}]
        }


def test_a_locale_changes_no_number(tmp_path):
    if shutil.which("localedef") is None:
        pytest.skip("there is no localedef")
    folder = tmp_path / "de_DE.UTF-8"
    made = ["localedef", "-i", "de_DE", "-f", "UTF-8", folder]
    subprocess.run(made, capture_output=True, check=False)
    if not folder.exists():
        pytest.skip("there are no sources of locales")
    program = """
import locale, warnings, renyi
from decimal import Decimal
locale.setlocale(locale.LC_ALL, "de_DE.UTF-8")
assert locale.localeconv()["decimal_point"] == ","
warnings.simplefilter("ignore")
text = '{"renyi-release":1,"statistics":[{"name":"a","value":%s,"l1_sensitivity":0.5}]}'
for value in ("1000.5", "1000", "0.5e400", "-0.5e400", "0.001e-400"):
    about = {"value": Decimal(value), "l1_sensitivity": 0.5}
    for values in (text % value, [{"name": "a", **about}]):
        released = renyi.release(values, ledger=None, rho=0.02)
        assert released.rho <= 0.02 and abs(released["a"].size - 2.5) < 1e-3, (value, released["a"].size)
        same = renyi.release(values, ledger=None, epsilon=0.7, delta=1e-7)
        assert 0.6999 < same.epsilon <= 0.7 and same["a"].size < 5, same["a"].size
        wanted = max(-1e9, min(float(value), 1e9))
        assert abs(max(-1e9, min(released["a"].value, 1e9)) - wanted) < 30, (value, released["a"].value)
"""
    paths = os.pathsep.join([str(pathlib.Path(renyi.__file__).parents[1]), os.environ.get("PYTHONPATH", "")])
    done = subprocess.run(
        [sys.executable, "-c", program], env={**os.environ, "LOCPATH": str(tmp_path), "PYTHONPATH": paths},
        capture_output=True, text=True, check=False,
    )
    if "exact noise" in done.stderr:
        pytest.skip("built without certified arithmetic")
    assert done.returncode == 0, done.stderr
