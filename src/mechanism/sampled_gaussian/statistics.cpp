#include "mechanism/sampled_gaussian/statistics.h"

#include <algorithm>
#include <cmath>

#include "mechanism/sampled_gaussian/summation.h"
#include "numerics/exponentials.h"

namespace renyi::sampled_gaussian {

namespace {

using numerics::exp_remainder;

// A power of L - mean under P.
template <Direction direction, int power>
struct CentralSum {
  double mean = 0;
  Parity<double> moment{};
  double modulus = 0;  // sum of the moduli of the terms
  long nodes = 0;
  double noise = 0;

  double add(const Chunk& c, std::size_t i, long j) {
    const View n = view<direction>(c, i);
    const double off = n.loss - mean, square = n.weight * off * off;
    const double term = power == 2 ? square : square * off, size = std::abs(term);
    moment.add(j, term);
    modulus += size;
    // The loss carries `noise` roundings of its own size.
    noise += size * (c.noise(i) + 4) + n.weight * std::pow(std::abs(off), power - 1) * std::abs(n.loss) * c.noise(i);
    ++nodes;
    // The term vanishes where the loss crosses its mean: no reason to stop there.
    return n.weight * std::pow(std::abs(n.loss) + mean, power);
  }
  double size() const { return modulus; }
};

// b R(-L) - R(-b L) with b = 1-a <= 1/2, of one sign: its expectation is 1 - E_Q[(P/Q)^a].
template <Direction direction>
struct LostSum {
  double b = 0;
  Parity<double> lost{};
  long nodes = 0;
  double noise = 0;

  double add(const Chunk& c, std::size_t i, long j) {
    const View n = view<direction>(c, i);
    const double grown = b * n.centred, rest = n.weight * exp_remainder(-b * n.loss);
    // Under P so little mass that e^(-b L) times it vanishes.
    const double term = n.weight > 0 ? std::max(0.0, grown - rest) : grown;
    lost.add(j, term);
    noise += (grown + rest) * c.noise(i);
    ++nodes;
    return term;
  }
  double size() const { return lost.total(); }
};

struct Moment {
  double value, error;
};

// The errors of value and modulus are the same; of the mean they are charged by the caller.
template <Direction direction, int power>
Moment central_moment(const Lattice& lattice, double mean) {
  const Params& k = lattice.params();
  CentralSum<direction, power> sum{.mean = mean};
  sum_windows(lattice, sum, direction == Direction::remove ? peaks_above_one(k, 1) : peaks_below_zero(k, 0));
  const double coarse = step_error(direction, sum.moment.coarse_error(), sum.modulus);
  return {sum.moment.total(), sum_error(lattice, sum, coarse, sum.modulus)};
}

template <Direction direction>
Cumulants cumulants_in(const Lattice& lattice, const Bounded& mean) {
  const Moment second = central_moment<direction, 2>(lattice, mean.value);
  const Moment third = central_moment<direction, 3>(lattice, mean.value);
  // With the mean off by d, E(L-m)^2 is off by d^2 and E(L-m)^3 by 3 d variance + d^3.
  const double d = mean.error;
  return {.mean = mean.value,
          .mean_error = d,
          .variance = second.value,
          .variance_error = second.error + d * d,
          .third = third.value,
          .third_error = third.error + 3 * d * (second.value + d * d)};
}

template <Direction direction>
Bounded chernoff_in(const Lattice& lattice, double a) {
  const Params& k = lattice.params();
  const Peaks peaks = direction == Direction::remove ? peaks_above_one(k, a) : peaks_below_zero(k, 1 - a);
  LostSum<direction> sum{.b = 1 - a};
  sum_windows(lattice, sum, peaks);
  const double lost = sum.lost.total(), kept = 1 - lost;
  const double error = sum_error(lattice, sum, step_error(direction, sum.lost.coarse_error(), lost), lost) / kept;
  const double value = -std::log1p(-lost);
  // P >= (1-q) Q, so E_Q[(P/Q)^a] >= (1-q)^a and E_P[(Q/P)^a] >= (1-q)^(1-a).
  const double most = -(direction == Direction::remove ? a : 1 - a) * k.log_1mq;
  if (!(kept > 0 && error < 0.1)) return {0.5 * most, 0.5 * most};
  return {value, error + 4 * numerics::unit_roundoff * value};
}

}  // namespace

Cumulants cumulants_on(const Lattice& lattice, const Bounded& mean, Direction direction) {
  return direction == Direction::remove ? cumulants_in<Direction::remove>(lattice, mean)
                                        : cumulants_in<Direction::add>(lattice, mean);
}

Bounded chernoff_on(const Lattice& lattice, double a, Direction direction) {
  return direction == Direction::remove ? chernoff_in<Direction::remove>(lattice, a)
                                        : chernoff_in<Direction::add>(lattice, a);
}

}  // namespace renyi::sampled_gaussian
