// Any plan of known losses by their laws on a grid, rounded to either side (docs/math/lattice.md).
#include <algorithm>
#include <cmath>

#include "exact/engine.h"
#include "exact/lattice/crossing.h"
#include "exact/lattice/parts.h"
#include "exact/lattice/refine.h"
#include "exact/memory.h"
#include "loss/saddle.h"
#include "renyi/account.h"
#include "renyi/error.h"

namespace renyi::exact {

namespace {

using lattice::crossing;
using lattice::DeltaLaw;
using lattice::Reading;
using lattice::Start;

constexpr double smallest_c = 1e-9, largest_c = 1e7;

// The order for epsilon, and ln delta there about: exp(K - c epsilon)/(c (c+1)).
Start start_at(const Question& question, double epsilon) {
  const loss::Saddle saddle = loss::saddle_point(question.curve, question.direction, epsilon, {1, 1});
  const double c = std::clamp(saddle.c, smallest_c, largest_c);
  const double k = question.curve.log_moment(c, question.direction).value;
  return {c, k - c * epsilon - std::log(c + 1) - std::max(0.0, std::log(c)) - 5};
}

// What does not converge is not served.
lattice::Refined refined(const lattice::Parts& parts, const Start& start, const Question& question,
                         const lattice::Read& read) {
  try {
    return lattice::refine(parts, start, question.options.memory, read);
  } catch (const NotConverged&) {
    return {};
  }
}

}  // namespace

Answer lattice_delta(const Question& question, double epsilon) {
  if (const auto known = question.memory.delta(question.direction, epsilon, question.options.tolerance)) return known;
  const auto parts = lattice::parts_of(question);
  if (!parts) return std::nullopt;
  const Start start = start_at(question, epsilon);
  const auto read = [&](const DeltaLaw& law) -> std::optional<Reading> {
    const Ends ends = law.at(epsilon);
    const double relative = ends.lower > 0 ? std::log(ends.upper / ends.lower) : 1e6;
    // Far below the upper end if that is all there is: the law's tails are then cut further out.
    const double log_delta = ends.lower > 0 ? std::log(ends.lower) : std::log(ends.upper) - 60;
    return Reading{ends, relative / question.options.tolerance, start.c, log_delta};
  };
  lattice::Refined found = refined(*parts, start, question, read);
  if (found.law) {
    const Ends ends = found.law->at(epsilon);
    const double width = ends.lower > 0 ? std::log(ends.upper / ends.lower) : 0;
    question.memory.keep(question.direction, std::move(found.law), width);
  }
  return found.figure;
}

Answer lattice_epsilon(const Question& question, double delta) {
  const auto parts = lattice::parts_of(question);
  if (!parts) return std::nullopt;
  const double largest = question.curve.max_loss(question.direction).upper(), log_delta = std::log(delta);
  const loss::SaddleOfValue expected = loss::saddle_of_value(question.curve, question.direction, log_delta, {1, 1});
  const double c = std::clamp(expected.saddle.c, smallest_c, largest_c);
  double from = std::clamp(expected.t, 0.0, renyi_epsilon(question.curve, delta).epsilon);
  const auto read = [&](const DeltaLaw& law) -> std::optional<Reading> {
    const double precision = 1e-3 * question.options.tolerance;
    const auto high = crossing([&](double x) { return law.above.upper(x); }, delta, from, c, largest, precision);
    const auto low = crossing([&](double x) { return law.below.lower(x); }, delta, high.upper, c, largest, precision);
    const Ends found{low.lower, high.upper};
    from = found.middle();
    const double better = start_at(question, from).c;
    return Reading{found, (found.upper - found.lower) / question.options.tolerance, better, log_delta};
  };
  return refined(*parts, {c, log_delta}, question, read).figure;
}

}  // namespace renyi::exact
