#include "mechanism/monotone/cover.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "numerics/exponentials.h"
#include "renyi/error.h"
#include "renyi/limits.h"

namespace renyi::monotone {

namespace cover_file {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

// Panels whose logarithm is this far below the highest value seen are omitted, both before and after all widths are
// known.
constexpr double negligible_height = 70;
constexpr double negligible_share = 46;
// A panel is narrow enough when the integrand changes by less than exp of this, and its phase by less than this.
constexpr double most_change = 8;
constexpr double most_scales = 3;
constexpr std::size_t most_panels = 1 << 15;
constexpr std::size_t most_kept = 1 << 13;
// At power 0 the derivative with respect to the power is needed, so smaller powers are treated as this one.
constexpr double least_power = 1e-3;

struct End {
  double x = 0;
  PairPoint point{};
  double log_size = 0;
  double height = 0;  // ln of the integrand
};

struct Wide {
  End left;
  End right;
};

struct Range {
  double low = 0;
  double high = 0;
  double largest() const { return std::max(std::abs(low), std::abs(high)); }
};

// Returns the range of factor * v for v between two values.
Range times(double factor, double a, double b) {
  return {std::min(factor * a, factor * b), std::max(factor * a, factor * b)};
}

// Returns ln of an upper bound on |r^p - 1 - p (r - 1)|, tight up to a factor that hardly changes with the loss; it
// rises with |loss|. The bound is |R(pl)| + |p| R(l) with |R(y)| <= |y|^2/2 max(1, exp(Re y)) and <= exp(Re y) + 1 +
// |y|, R(y) = exp(y) - 1 - y.
double log_size(double loss, std::complex<double> power) {
  const double modulus = std::max(std::abs(power), least_power), y = modulus * std::abs(loss);
  const double tilt = power.real() * loss, lift = std::max({tilt, loss, 0.0});
  if (loss == 0) return -infinity;
  // All terms are multiplied by exp(-lift), so that none overflows.
  const double flat = std::exp(-lift), grown = std::exp(tilt - lift);
  const double first = std::min(0.5 * y * y * std::max(flat, grown), grown + flat * (1 + y));
  const double second =
      std::abs(loss) < 1 ? flat * numerics::exp_remainder(loss) : std::exp(loss - lift) - flat * (1 + loss);
  return lift + std::log(first + modulus * second);
}

class Search {
 public:
  Search(const MonotonePair& pair, std::complex<double> power) : pair_(pair), power_(power) {}

  Cover run() {
    std::vector<Wide> open = beginning();
    while (!open.empty()) {
      std::vector<Wide> next;
      stop_if_asked();
      for (const Wide& panel : open) divide(panel, next);
      if (next.size() + done_.size() > most_panels) give_up();
      open = std::move(next);
    }
    return kept();
  }

 private:
  struct Done {
    Panel panel;
    double upper = 0;  // ln of an upper bound on its integral
    double about = 0;  // ln of its approximate integral
  };

  End end_at(double x) const {
    const PairPoint point = pair_.at(x);
    const double size = log_size(point.loss, power_);
    return {x, point, size, point.log_q + size};
  }

  // Within each initial panel the density of Q is monotone, and the loss has one sign.
  std::vector<Wide> beginning() {
    const double first = pair_.is_symmetric() ? pair_.zero() : std::max(pair_.first(), pair_.lowest(power_.real()));
    const double last = std::min(pair_.last(), pair_.highest(power_.real()));
    std::array<double, 4> cuts{first, std::clamp(pair_.mode(), first, last), std::clamp(pair_.zero(), first, last),
                               last};
    std::sort(cuts.begin(), cuts.end());
    std::vector<Wide> wide;
    for (std::size_t i = 0; i + 1 < cuts.size(); ++i) {
      if (cuts[i] < cuts[i + 1]) wide.push_back({end_at(cuts[i]), end_at(cuts[i + 1])});
    }
    best_ = atoms();
    for (const Wide& panel : wide) best_ = std::max({best_, panel.left.height, panel.right.height});
    return wide;
  }

  double atoms() const {
    double most = -infinity;
    if (pair_.has_atom_below() && !pair_.is_symmetric()) {
      most = pair_.log_mass_below() + log_size(pair_.loss(pair_.first()), power_);
    }
    if (pair_.has_atom_above()) {
      most = std::max(most, pair_.log_mass_above() + log_size(pair_.loss(pair_.last()), power_));
    }
    return most;
  }

  // Returns an upper bound on |(ln q + tilt l)'| in a panel.
  double steepest(const Wide& panel, double tilt) const {
    const PairPoint &a = panel.left.point, &b = panel.right.point;
    const Range up = times(tilt, a.up, b.up), down = times(tilt - 1, a.down, b.down);
    return Range{b.base + up.low + down.low, a.base + up.high + down.high}.largest();
  }

  void divide(const Wide& panel, std::vector<Wide>& next) {
    const double width = panel.right.x - panel.left.x, middle_x = panel.left.x + 0.5 * width;
    const End middle = end_at(middle_x);
    best_ = std::max(best_, middle.height);
    // One bound is Q times the size, each of which is largest at an endpoint ...
    const double by_ends =
        std::max(panel.left.point.log_q, panel.right.point.log_q) + std::max(panel.left.log_size, panel.right.log_size);
    // ... and another follows from the mean value theorem: the size is at most (2 + 2|p| (1 + |l|)) exp(tilt l).
    const bool gains = middle.point.loss > 0;
    const double tilt = gains ? std::max(1.0, power_.real()) : std::min(0.0, power_.real());
    const double change = steepest(panel, tilt) * 0.5 * width;
    const double largest = std::max(std::abs(panel.left.point.loss), std::abs(panel.right.point.loss));
    const double by_slope =
        middle.point.log_q + tilt * middle.point.loss + change + std::log(2 + 2 * std::abs(power_) * (1 + largest));
    const double upper = std::min(by_ends, by_slope);
    if (upper < best_ - negligible_height) return;
    const bool splits = middle_x > panel.left.x && middle_x < panel.right.x;
    const double varies = std::max(std::min(change, by_ends - middle.height),
                                   std::max(panel.left.height, panel.right.height) - middle.height);
    const bool narrow = width <= most_scales * pair_.scale() && varies <= most_change;
    if (splits && !narrow) {
      next.push_back({panel.left, middle});
      next.push_back({middle, panel.right});
      return;
    }
    const double log_width = std::log(width);
    done_.push_back({{panel.left.x, panel.right.x}, upper + log_width, middle.height + log_width});
  }

  Cover kept() {
    double most = -infinity;
    for (const Done& d : done_) most = std::max(most, d.about);
    most = std::max(most, atoms());
    Cover result;
    for (const Done& d : done_) {
      if (d.upper >= most - negligible_share) {
        add_in_turns(d.panel, pair_.loss(d.panel.left), pair_.loss(d.panel.right), result.panels);
      }
    }
    std::sort(result.panels.begin(), result.panels.end(),
              [](const Panel& a, const Panel& b) { return a.left < b.left; });
    result.peak = best_;
    return result;
  }

  // Halves the panel until the phase turns little in each part.
  void add_in_turns(const Panel& panel, double low, double high, std::vector<Panel>& panels) const {
    const double middle = panel.left + 0.5 * (panel.right - panel.left);
    const bool splits = middle > panel.left && middle < panel.right;
    if (splits && std::abs(power_.imag()) * (high - low) > most_change) {
      const double between = pair_.loss(middle);
      add_in_turns({panel.left, middle}, low, between, panels);
      add_in_turns({middle, panel.right}, between, high, panels);
    } else {
      panels.push_back(panel);
      if (panels.size() > most_kept) give_up();
    }
  }

  [[noreturn]] void give_up() const {
    throw NotConverged(fmt::format("the moment of a sampled pair at power {}{:+}i", power_.real(), power_.imag()));
  }

  const MonotonePair& pair_;
  std::complex<double> power_;
  double best_ = -infinity;
  std::vector<Done> done_;
};

}  // namespace
}  // namespace cover_file

Cover cover(const MonotonePair& pair, std::complex<double> power) { return cover_file::Search(pair, power).run(); }

}  // namespace renyi::monotone
