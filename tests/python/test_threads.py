"""Threads of the interpreter's, callbacks, and its end."""

import math
import subprocess
import sys
import threading

import numpy as np
import pytest

import renyi

AT_WORK = {
    "arrays": "renyi.epsilon(sampling_rate=.01, noise_multiplier=np.linspace(1, 3, 2000), steps=1000, delta=1e-5)",
    "callbacks": "renyi.epsilon([renyi.custom_curve(lambda order: order / 200)] * 64, delta=1e-5)",
    "an accountant": "renyi.Accountant(renyi.custom_curve(lambda order: order / 200)).epsilon(1e-5)",
}


@pytest.mark.parametrize("question", AT_WORK.values(), ids=AT_WORK.keys())
def test_the_interpreter_may_end_while_threads_ask(question):
    program = f"""
import threading, time
import numpy as np
import renyi
def ask():
    while True:
        {question}
for _ in range(3):
    threading.Thread(target=ask, daemon=True).start()
time.sleep(0.5)
"""
    ended = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=3600)
    assert (ended.returncode, ended.stderr) == (0, "")


def test_a_callback_may_step_and_ask_the_accountant_that_calls_it():
    account = renyi.Accountant()
    seen = []

    def curve(order):
        if not seen:
            seen.append("the first call only")
            account.step(renyi.Gaussian(5))
            seen.append((account.steps, account.epsilon(1e-5, want="renyi").renyi))
        return order / 200

    account.step(renyi.custom_curve(curve))
    asked = threading.Thread(target=account.epsilon, args=(1e-5,), daemon=True)
    asked.start()
    asked.join(timeout=3600)
    assert not asked.is_alive()
    steps, cost = seen[1]
    assert steps == account.steps == 2 and math.isfinite(cost)


def test_questions_from_many_threads_agree():
    alone = renyi.epsilon(sampling_rate=0.01, noise_multiplier=1.1, steps=1000, delta=1e-5).upper
    found = []

    def ask():
        many = renyi.epsilon(sampling_rate=0.01, noise_multiplier=np.full(50, 1.1), steps=1000, delta=1e-5)
        found.extend(many.upper.tolist())

    threads = [threading.Thread(target=ask) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == [alone] * 200
