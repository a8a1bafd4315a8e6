#include "certify/exact/sampled_decay.h"

#include <algorithm>
#include <cmath>
#include <memory>
#include <numbers>
#include <vector>

#include "certify/sampled_gaussian/shape.h"
#include "certify/sampled_gaussian/trapezoid.h"
#include "renyi/limits.h"

namespace renyi::certify {
namespace sampled_decay_file {
namespace {

// This precision suffices for bounds of |phi|, which are rough.
constexpr long moment_bits = 40;

Ball log_of_moment(const SampledGaussian& mechanism, const Ball& exponent) {
  return log(trapezoid_moments(mechanism, exponent, 0, 1, moment_bits).front().real());
}

}  // namespace
}  // namespace sampled_decay_file

Tilted::Tilted(const SampledGaussian& sampled, Direction direction, const Ball& c)
    : mechanism(sampled),
      rate(sampled.sampling_rate),
      variance(square(Ball(sampled.noise_multiplier))),
      exponent(direction == Direction::remove ? 1 + c : -c),
      log_scale(log(2 * Ball::pi() * variance) / 2 + sampled_decay_file::log_of_moment(sampled, exponent)) {}

Ball Tilted::loss(const Ball& x) const { return log1p(rate * expm1((2 * x - 1) / (2 * variance))); }

Ball Tilted::share(const Ball& x) const { return 1 / (1 + (1 - rate) / rate * exp((1 - 2 * x) / (2 * variance))); }

Ball Tilted::log_density(const Ball& x) const { return exponent * loss(x) - square(x) / (2 * variance) - log_scale; }

namespace sampled_decay_file {
namespace {

constexpr int deepest = 80;
// A cell in which ln g provably changes by no more than this may contain a turning point.
constexpr double short_enough = 0.01;

// Bounds the total variation of g = p/l', l' = share/s^2. ln g has the slope k(x)/s^2 with k = -x - 1 + (e+1) share(x).
class Variation {
 public:
  explicit Variation(const Tilted& law) : law_(law) {}

  // Lemma K9: beyond these endpoints g is monotone.
  Ball whole() const {
    const Ball e = law_.exponent;
    const bool remove = surely_less(0, e);
    const Ball low = remove ? Ball(-1) : (-2 + e).lower();
    const Ball high = remove ? e.upper() : Ball(0);
    return g(low) + g(high) + over(low, high, deepest);
  }

 private:
  Ball g(const Ball& x) const { return exp(law_.log_density(x)) * law_.variance / law_.share(x); }

  // Encloses k on [low, high]; the share increases with x.
  Ball slope(const Ball& low, const Ball& high) const {
    const Ball factor = law_.exponent + 1;
    const Ball shares = Ball::hull(law_.share(low), law_.share(high));
    return factor * shares - 1 - Ball::hull(low, high);
  }

  Ball over(const Ball& low, const Ball& high, int depth) const {
    const Ball k = slope(low, high);
    if (surely_less(0, k) || surely_less(k, 0)) return abs(g(high) - g(low));
    const Ball moved = ((high - low) * abs(k) / law_.variance).upper();
    // |g'| = g |k|/s^2, and g is at most exp(moved) times its value at an endpoint.
    if (depth == 0 || surely_less(moved, short_enough)) return max(g(low), g(high)) * moved * exp(moved);
    const Ball middle = ((low + high) / 2).middle();
    return over(low, middle, depth - 1) + over(middle, high, depth - 1);
  }

  const Tilted& law_;
};

}  // namespace
}  // namespace sampled_decay_file

Ball total_variation_by_parts(const Tilted& law) { return sampled_decay_file::Variation(law).whole().upper(); }

namespace sampled_decay_file {
namespace {

// Lower bounds on the sampled Gaussian's tilted masses in cells of x, and the bounds on |phi| that follow from them.
class Buckets {
 public:
  // Chooses cells that are fine enough for y up to `finest`.
  Buckets(const Tilted& law, double finest);
  double finest() const { return finest_; }

  // Lemma K5: returns a lower bound on 1 - |phi|^2 on [y, ratio y].
  Ball lost(const Ball& y, const Ball& ratio) const;

 private:
  struct Cell {
    Ball mass;       // a lower bound on the mass
    Ball low, high;  // the loss at the cell's endpoints, up to its sign
  };
  Ball pairs(const Ball& width, const Ball& first_width) const;
  void add_cell(const Tilted& law, double from, double to);

  double finest_;
  std::vector<Cell> cells_;
};

// The cells stop where the density is below exp(-negligible) of its peak.
constexpr double negligible = 20;
constexpr double cells_per_bucket = 8, cells_per_noise = 16, most_cells_per_window = 1500;

struct Window {
  double from = 0;
  double to = 0;
};

double log_density_about(const Tilted& law, double x) {
  const double s = law.mechanism.noise_multiplier;
  return law.exponent.about() * loss_about(law.mechanism, x) - x * x / (2 * s * s);
}

std::vector<Window> windows_of(const Tilted& law) {
  const double reach = std::sqrt(2 * negligible) * law.mechanism.noise_multiplier;
  const double low = lowest_peak(law.mechanism, law.exponent.about());
  const double high = highest_peak(law.mechanism, law.exponent.about());
  const double first_from = std::min(low, 0.0) - reach;
  if (high - reach <= low + reach) return {{first_from, high + reach}};
  return {{first_from, low + reach}, {high - reach, high + reach}};
}

Buckets::Buckets(const Tilted& law, double finest) : finest_(finest) {
  const double s = law.mechanism.noise_multiplier;
  const double e = law.exponent.about();
  const double top = std::max(log_density_about(law, lowest_peak(law.mechanism, e)),
                              log_density_about(law, highest_peak(law.mechanism, e)));
  for (const Window& window : windows_of(law)) {
    const double narrowest = (window.to - window.from) / most_cells_per_window;
    for (double x = window.from; x < window.to;) {
      stop_if_asked();
      const double bucket = std::numbers::pi * s * s / (finest * share_about(law.mechanism, x));
      const double width = std::max(narrowest, std::min(s / cells_per_noise, bucket / cells_per_bucket));
      const double next = std::min(x + width, window.to);  // cells are disjoint
      if (log_density_about(law, x) > top - negligible) add_cell(law, x, next);
      x = next;
    }
  }
}

// Lemma K4: the mean of ln p is at least that of its endpoints, minus a twelfth of the squared width times its largest
// second derivative; and exp is convex.
void Buckets::add_cell(const Tilted& law, double from, double to) {
  const Ball low = from;
  const Ball high = to;
  const Ball width = high - low;
  Ball bend(0);
  if (surely_less(0, law.exponent)) {
    const Ball mixed = min(min(law.share(high), 1 - law.share(low)), Ball(0.25));
    bend = law.exponent * mixed / square(law.variance);
  }
  const Ball mean = (law.log_density(low) + law.log_density(high)) / 2 - bend * square(width) / 12;
  cells_.push_back({max((width * exp(mean)).lower(), Ball(0)), law.loss(low), law.loss(high)});
}

Ball Buckets::lost(const Ball& y, const Ball& ratio) const {
  const Ball width = Ball::pi() / (ratio * y);
  const Ball scale = 4 * square(y / Ball::pi());
  const Ball whole = max(pairs(width, width).lower(), pairs(width, width / 2).lower());
  // With half the width, each pair counts twice.
  return scale * max(whole, 2 * pairs(width / 2, width / 2).lower());
}

// Computes the sum over pairs j < k in the same bucket of p_j p_k (low_k - high_j)^2, by running sums.
Ball Buckets::pairs(const Ball& width, const Ball& first_width) const {
  Ball total(0);
  Ball mass(0);
  Ball first(0);
  Ball second(0);
  Ball start;
  Ball allowed = first_width;
  bool open = false;
  for (const Cell& cell : cells_) {
    if (open && !surely_at_most(cell.high - start, allowed)) {
      open = false;
      allowed = width;
    }
    if (!open) {
      open = true;
      start = cell.low;
      mass = first = second = Ball(0);
      // A cell wider than a bucket contains no pair that counts.
      if (!surely_at_most(cell.high - start, allowed)) {
        open = false;
        allowed = width;
        continue;
      }
    }
    const Ball low = cell.low - start;
    const Ball high = cell.high - start;
    total += cell.mass * (square(low) * mass - 2 * low * first + second);
    mass += cell.mass;
    first += cell.mass * high;
    second += cell.mass * square(high);
  }
  return total;
}

class SampledGaussianDecay final : public Decay {
 public:
  SampledGaussianDecay(const SampledGaussian& mechanism, Direction direction, const Ball& c)
      : law_(mechanism, direction, c), variation_(total_variation_by_parts(law_)) {}

  // It follows from 1 - |phi|^2 >= lost.
  Ball within(const Ball& y, const Ball& ratio) const override {
    const double end = (y * ratio).about();
    if (!buckets_ || buckets_->finest() < end) buckets_ = std::make_unique<Buckets>(law_, 3 * end);
    return useful(min(log1p(-buckets_->lost(y, ratio)) / 2, beyond(y)));
  }

  // Lemma K8.
  Ball beyond(const Ball& y) const override { return useful(log(variation_ / y)); }

 private:
  Tilted law_;
  Ball variation_;
  mutable std::unique_ptr<Buckets> buckets_;  // not thread-safe: one thread uses a decay while it makes a distribution
};

}  // namespace
}  // namespace sampled_decay_file

std::unique_ptr<Decay> sampled_gaussian_decay(const SampledGaussian& mechanism, Direction direction, const Ball& c) {
  return std::make_unique<sampled_decay_file::SampledGaussianDecay>(mechanism, direction, c);
}

}  // namespace renyi::certify
