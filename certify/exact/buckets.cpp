#include "certify/exact/buckets.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "certify/sampled_gaussian/shape.h"

namespace renyi::certify {
namespace {

// Cells end where the density is below exp(-this) of its peak.
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

}  // namespace

Buckets::Buckets(const Tilted& law, double finest) : finest_(finest) {
  const double s = law.mechanism.noise_multiplier;
  const double e = law.exponent.about();
  const double top = std::max(log_density_about(law, lowest_peak(law.mechanism, e)),
                              log_density_about(law, highest_peak(law.mechanism, e)));
  for (const Window& window : windows_of(law)) {
    const double narrowest = (window.to - window.from) / most_cells_per_window;
    for (double x = window.from; x < window.to;) {
      const double bucket = std::numbers::pi * s * s / (finest * share_about(law.mechanism, x));
      const double width = std::max(narrowest, std::min(s / cells_per_noise, bucket / cells_per_bucket));
      const double next = std::min(x + width, window.to);  // cells are disjoint
      if (log_density_about(law, x) > top - negligible) add_cell(law, x, next);
      x = next;
    }
  }
}

// Lemma K4: the mean of ln p is at least that of its ends, but for a twelfth of the squared width times its largest
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
  // Half as wide, each pair counts twice.
  return scale * max(whole, 2 * pairs(width / 2, width / 2).lower());
}

// The sum over j < k of the same bucket of p_j p_k (low_k - high_j)^2, by running sums.
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
      // A cell wider than a bucket holds no pair that counts.
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

}  // namespace renyi::certify
