"""delta(epsilon) of one long epoch of random allocation, by the transform of the likelihood ratio R at 40 digits.

    /usr/bin/python3 random_allocation_long.py > ../data/random_allocation_long_delta.jsonl

E[(k - R)_+] is (1/pi) Re of the integral of exp(v k) E[exp(-v R)]/v^2 along v = a + iu, u > 0, by the trapezoidal rule;
E[exp(-v R)] is the t-th power of the transform of one log-normal term, by the trapezoidal rule in its normal variable.
delta_add = e^epsilon E[(e^-epsilon - R)_+], and delta_remove = E[(R - e^epsilon)_+] = E[(e^epsilon - R)_+] + 1 - e^epsilon.
"""

import json

from mpmath import mp

mp.dps = 40


def puts(t, s, levels):
    sigma, scale = 1 / mp.mpf(s), mp.mpf(s) * mp.sqrt(t)
    step, normal_step = scale / 16, mp.mpf(1) / 12
    z = [j * normal_step for j in range(-144, 169)]
    terms = [(normal_step * mp.npdf(x), mp.exp(sigma * x - sigma**2 / 2) - 1) for x in z]
    sums, a = [mp.mpf(0)] * len(levels), scale
    for j in range(16 * 12):
        v = mp.mpc(a, j * step)
        # The moment is that of R - 1.
        moment = mp.fsum(weight * mp.exp(-v / t * x) for weight, x in terms) ** t
        for i, k in enumerate(levels):
            part = (mp.exp(v * (k - 1)) * moment / v**2).real
            sums[i] += part / 2 if j == 0 else part
    return [total * step / mp.pi for total in sums]


def main():
    for t, s, epsilons in ((235, 3, (0.03, 0.0664, 0.12)), (10000, 3, (0.0082,)), (235, 1, (0.35,))):
        factors = [mp.exp(mp.mpf(epsilon)) for epsilon in epsilons]
        values = puts(t, s, factors + [1 / factor for factor in factors])
        for i, (epsilon, factor) in enumerate(zip(epsilons, factors)):
            remove, add = values[i] + 1 - factor, factor * values[i + len(factors)]
            print(json.dumps({"steps": t, "noise_multiplier": s, "epsilon": epsilon,
                              "delta_remove": mp.nstr(remove, 13), "delta_add": mp.nstr(add, 13)}), flush=True)


if __name__ == "__main__":
    main()
