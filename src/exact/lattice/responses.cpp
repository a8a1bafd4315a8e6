// All copies of one randomized response, composed on their own lattice and, if necessary, put on the grid as one step.
#include <algorithm>
#include <cmath>

#include "exact/lattice/atoms.h"
#include "exact/lattice/step_law.h"
#include "numerics/rounding.h"
#include "renyi/error.h"

namespace renyi::exact::lattice {

namespace responses_file {
namespace {

using numerics::unit_roundoff;

constexpr double negligible = 0x1p-80;
// Smaller odds are negligible, and would underflow.
constexpr double least_odds = 1e-280;
constexpr std::size_t most_points = std::size_t{1} << 22;

// Returns the composed law without its masses: the error of e moves every loss by at most count e_error, and K(c) sets
// the scale.
Composed frame(const Response& r, const Curve& curve, double c) {
  const LogMoment k = curve.log_moment(c, Direction::remove);
  const auto count = static_cast<double>(r.count);
  Composed law;
  law.c = c;
  law.log_scale = count * k.value;
  law.relative = count * (k.error + 2 * unit_roundoff * std::abs(k.value));
  law.slack = count * (r.e_error + 8 * unit_roundoff * r.e);
  return law;
}

// The weights of a binomial distribution from its most likely value outwards, computed by their ratios.
struct Walk {
  std::vector<double> weights;
  double tail = 0;  // a bound on the weights that were not computed
};
template <class Ratio>
Walk walk(const Ratio& ratio) {
  Walk out;
  double w = 1;
  for (std::int64_t i = 0;; ++i) {
    const double r = ratio(i);
    const double rest = r < 1 ? w * r / (1 - r) : HUGE_VAL;
    if (r <= 0) return out;
    if (rest < negligible || out.weights.size() >= most_points) {
      out.tail = rest;
      return out;
    }
    w *= r;
    out.weights.push_back(w);
  }
}

// Among n tilted responses, the number i of losses -e is binomial with odds exp(-(2c+1) e). The weights sum to 1, so
// their ratios determine them. The losses are (n - 2i) e.
std::optional<Composed> binary(const Response& r, const Curve& curve, double c) {
  const auto n = static_cast<double>(r.count);
  const double odds = std::max(std::exp(-(2 * c + 1) * r.e), least_odds);
  const double likeliest = std::min(n, std::floor((n + 1) * (odds / (1 + odds))));
  const Walk fewer = walk([&](std::int64_t k) {
    const double i = likeliest - static_cast<double>(k);
    return i / (n - i + 1) / odds;
  });
  const Walk more = walk([&](std::int64_t k) {
    const double i = likeliest + static_cast<double>(k);
    return (n - i) / (i + 1) * odds;
  });
  const std::size_t size = fewer.weights.size() + 1 + more.weights.size();
  if (size > most_points) return std::nullopt;
  Composed law = frame(r, curve, c);
  law.h = 2 * r.e;
  law.origin = (n - 2 * (likeliest + static_cast<double>(more.weights.size()))) * r.e;
  law.w.assign(more.weights.rbegin(), more.weights.rend());
  law.w.push_back(1);
  law.w.insert(law.w.end(), fewer.weights.begin(), fewer.weights.end());
  double total = fewer.tail + more.tail;
  for (const double w : law.w) total += w;
  for (double& w : law.w) w /= total;
  // A weight is a product of ratios, each of which has 4 roundings and the error of the odds.
  const auto walked = static_cast<double>(size);
  law.relative += (8 * walked + 16) * unit_roundoff + walked * (2 * c + 1) * (r.e_error + 4 * unit_roundoff * r.e);
  law.beyond = fewer.tail / total;
  law.outside = law.beyond + more.tail / total;
  return law;
}

// Removes the masses beyond n e, which no loss of n responses exceeds: they are rounding errors of the transform.
void within_reach(const Response& r, Composed& law) {
  const double reach = (static_cast<double>(r.count) + 0.5) * r.e;
  const auto index = [&](double s) {
    return static_cast<std::size_t>(
        std::clamp(std::ceil((s - law.origin) / law.h), 0.0, static_cast<double>(law.w.size())));
  };
  const std::size_t first = index(-reach), end = index(reach);
  law.w.resize(end);
  law.w.erase(law.w.begin(), law.w.begin() + static_cast<std::ptrdiff_t>(first));
  law.origin += static_cast<double>(first) * law.h;
}

// With a third loss 0, the lattice has spacing e and one law, which is both its upper and its lower side.
std::optional<Composed> ternary(const Response& r, const Curve& curve, double c) {
  const double scale = curve.log_moment(c, Direction::remove).value;
  Masses masses;
  masses.first = -1;
  masses.w = {r.low * std::exp(-c * r.e - scale), r.rest * std::exp(-scale), r.high * std::exp(c * r.e - scale)};
  masses.log_scale = scale;
  masses.relative = 8 * unit_roundoff;
  const auto count = static_cast<double>(r.count);
  const std::vector<CountedMasses> steps{{masses, masses, count}};
  const Grid grid{.h = r.e, .c = c};
  auto both = compose(steps, grid, tail_orders(steps, grid.h), most_points);
  if (!both) return std::nullopt;
  within_reach(r, both->upper);
  both->upper.slack += count * r.e_error;
  both->upper.relative += count * c * r.e_error;
  both->upper.infinite = 0;
  return std::move(both->upper);
}

}  // namespace
}  // namespace responses_file

namespace responses_file {
namespace {

Response with_loss_of(const Curve& curve, Response r) {
  const Bounded e = curve.max_loss(Direction::remove);
  r.e = e.value;
  r.e_error = e.error;
  return r;
}

}  // namespace
}  // namespace responses_file

Response response_of(const mechanism::CategoricalResponse& law, const Curve& curve, std::int64_t count) {
  const double p = law.truth_probability, other = (1 - p) / (law.categories - 1);
  return responses_file::with_loss_of(curve, {.high = std::max(p, other),
                                              .low = std::min(p, other),
                                              .rest = std::max(0.0, other * (law.categories - 2)),
                                              .count = count});
}

Response response_of(const mechanism::TwoLosses& law, const Curve& curve, std::int64_t count) {
  return responses_file::with_loss_of(
      curve, {.high = 1 / (1 + std::exp(-law.epsilon)), .low = 1 / (1 + std::exp(law.epsilon)), .count = count});
}

std::optional<Composed> composed_response(const Response& response, const Curve& curve, double c) {
  return response.rest > 0 ? responses_file::ternary(response, curve, c) : responses_file::binary(response, curve, c);
}

namespace responses_file {
namespace {

class ResponseLaw final : public StepLaw {
 public:
  ResponseLaw(const CountedMechanism& step, const Response& response)
      : StepLaw(1, Direction::remove, renyi::compose(std::vector<CountedMechanism>{step})),
        response_(response),
        one_(step.mechanism.curve()) {}

  // A cell takes a quarter of the time of one that is integrated.
  double cells(const Grid& grid) const override {
    const double reach = 20 * response_.e * (std::sqrt(static_cast<double>(response_.count)) + 1);
    return std::min(reach, 2 * response_.e * static_cast<double>(response_.count)) / (4 * grid.h) + 2;
  }
  bool sides_agree() const override { return false; }

  // For the upper bound, the atoms are masses of cells; for the lower bound, they are rounded down to the grid.
  Cells cut(const Grid& grid, bool upper) const override {
    const auto law = composed_response(response_, *one_, grid.c);
    if (!law) throw NotConverged("the law of a randomized response");
    Cells cells;
    cells.offset = law->origin;
    cells.log_scale = law->log_scale;
    cells.relative = law->relative;
    cells.slack = law->slack;
    // The error of the masses may be anywhere: |w| in l1 is at most sqrt(n) times its Euclidean norm.
    cells.dropped = law->outside + law->error * std::sqrt(static_cast<double>(law->w.size()));
    const double reach = law->h * static_cast<double>(law->w.size() - 1);
    cells.log_infinite = std::log(law->beyond) + law->log_scale - grid.c * (law->origin + reach);
    const auto n = static_cast<std::size_t>(std::floor(reach / grid.h)) + 1;
    cells.p.resize(n);
    cells.u.resize(n);
    for (std::size_t k = 0; k < law->w.size(); ++k) {
      const double l = law->h * static_cast<double>(k);
      const auto at = std::min(n - 1, static_cast<std::size_t>(l / grid.h));
      const double over = std::max(0.0, l - static_cast<double>(at) * grid.h);
      const double mass = law->w[k] * std::exp(-grid.c * over);
      if (upper) {
        cells.p[at] += mass;
        cells.u[at] += mass * -std::expm1(-over);
      } else {
        cells.atoms.push_back({static_cast<std::int64_t>(at), mass});
      }
    }
    return cells;
  }

 private:
  Response response_;
  std::shared_ptr<const Curve> one_;
};

}  // namespace
}  // namespace responses_file

std::unique_ptr<StepLaw> response_law(const CountedMechanism& step, const Response& response) {
  return std::make_unique<responses_file::ResponseLaw>(step, response);
}

}  // namespace renyi::exact::lattice
