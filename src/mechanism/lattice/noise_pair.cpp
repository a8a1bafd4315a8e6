#include "mechanism/lattice/noise_pair.h"

#include <algorithm>
#include <cmath>

#include "numerics/mixed_loss.h"
#include "renyi/error.h"

namespace renyi::mechanism {

namespace {

using Outcome = LatticePair::Outcome;

// Terms below exp(-this) of the largest are left out.
constexpr double negligible = 80;
constexpr int most_iterations = 60;
constexpr double most_nodes = 4e6;

// Multiples first * m to last * m.
struct Range {
  double first = 0;
  double last = 0;
};

// From a place near a peak outwards, to where the terms are negligible beside the largest one met.
template <class LogTerm>
Range walk(double from, const LogTerm& log_term) {
  Range range{from, from};
  double low = log_term(from), high = low, top = low;
  const auto both_done = [&] { return low < top - negligible && high < top - negligible; };
  while (!both_done()) {
    if (high >= top - negligible) top = std::max(top, high = log_term(++range.last));
    if (low >= top - negligible) top = std::max(top, low = log_term(--range.first));
    if (range.last - range.first > most_nodes) throw NotConverged("the moment of noise on the integers");
  }
  return range;
}

std::vector<Range> merged(std::vector<Range> ranges) {
  std::sort(ranges.begin(), ranges.end(), [](const Range& a, const Range& b) { return a.first < b.first; });
  std::vector<Range> result;
  for (const Range& range : ranges) {
    if (!result.empty() && range.first <= result.back().last + 1) {
      result.back().last = std::max(result.back().last, range.last);
    } else {
      result.push_back(range);
    }
  }
  return result;
}

// Fixed points of a function that never falls, to within m: the lowest from below, the highest from above.
template <class Next>
std::vector<double> from_both_ends(const Next& next, double low, double high, double m) {
  std::vector<double> points{low, high};
  for (double& x : points) {
    for (int i = 0; i < most_iterations; ++i) {
      const double moved = next(std::round(x)), by = std::abs(moved - x);
      x = moved;
      if (by < m) break;
    }
  }
  return points;
}

// That of one that never rises, by bisection.
template <class Next>
double falling_point(const Next& next, double low, double high, double m) {
  while (high - low > m) {
    const double middle = std::round(0.5 * (low + high));
    if (middle <= low || middle >= high) break;
    (next(middle) > middle ? low : high) = middle;
  }
  return high;
}

}  // namespace

// Terms of E[exp(zL)] of the mixture are Q r^(1+z) and Q r^-z, r = 1 - g + g P/Q; centred and small they are like
// Q (P/Q - 1)^2. The peaks of the first are where x = peak((1+z) share(x)), share = g P/(g P + (1-g) Q): the lowest is
// reached from below, the highest from above. The second has one peak.
std::vector<Outcome> NoisePair::nodes(double z, double rate, bool thinned) const {
  const double m = thinned ? stride() : 1;
  const auto at = [&](double index) { return outcome(m * index); };
  std::vector<Range> ranges;
  for (const double order : {0.0, 1.0, 2.0}) {
    ranges.push_back(walk(std::round(peak(order) / m), [&](double i) {
      const Outcome o = at(i);
      return o.log_q + order * o.loss;
    }));
  }
  for (const double power : {z + 1, -z}) {
    const auto log_term = [&](double i) {
      const Outcome o = at(i);
      return o.log_q + power * (rate == 1 ? o.loss : numerics::mixed_loss(rate, o.loss));
    };
    const auto next = [&](double x) { return peak(power * numerics::mixed_loss_slope(rate, outcome(x).loss)); };
    for (const double x : power > 0 ? from_both_ends(next, peak(0), peak(power), m)
                                    : std::vector{falling_point(next, peak(power), peak(0), m)}) {
      ranges.push_back(walk(std::round(x / m), log_term));
    }
  }
  std::vector<Outcome> result;
  for (const Range& range : merged(std::move(ranges))) {
    for (double i = range.first; i <= range.last; ++i) {
      result.push_back(at(i));
      result.back().log_q += std::log(m);
      result.back().log_p += std::log(m);
    }
  }
  return result;
}

}  // namespace renyi::mechanism
