#include "calibrate/exact_search.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

#include "calibrate/probe.h"
#include "calibrate/range.h"

namespace renyi::calibrate_detail {

namespace {

constexpr double finest = 2e-10;       // of ln(value)
constexpr double first_stride = 0.04;  // of ln(value)
constexpr int most_probes = 60;        // where engines change from one value to the next; a handful does elsewhere

class Search {
 public:
  explicit Search(const ExactCost& cost)
      : cost_(cost),
        counts_(cost.step().is_count()),
        range_(counts_ ? Range{1, static_cast<double>(cost.step().largest_count()), false}
                       : range_of(cost.step().parameter())),
        to_costly_(range_.more_is_private ? -1 : 1) {}

  Found from(const Setting& start) {
    good_ = probe(cost_, start);
    if (good_.is_private) {
      stride_out();
    } else {
      step_back();
    }
    if (bad_) narrow();
    return {good_.setting, unspent()};
  }

 private:
  // The setting at ln(value) x; of counts another one than `from`, if only the next.
  Setting next_to(const Setting& from, double x) const {
    if (!counts_) return of_value(std::clamp(std::exp(x), range_.lowest, range_.highest));
    const double count = std::round(std::exp(x)), most = range_.highest;
    if (count >= most) return of_count(cost_.step().largest_count());
    const auto n = std::max<std::int64_t>(1, static_cast<std::int64_t>(count));
    return n == from.count ? of_count(x > std::log(from.value) ? n + 1 : std::max<std::int64_t>(1, n - 1))
                           : of_count(n);
  }

  bool at_costly_end() const {
    return counts_ ? good_.setting.count == cost_.step().largest_count() : good_.setting.value == range_.costly_end();
  }

  // From the private side, to where the line through the last two probes meets the target and a little further.
  void stride_out() {
    double stride = first_stride;
    while (!good_.is_settled() && !at_costly_end() && probes_++ < most_probes) {
      const Probe there = probe(cost_, next_to(good_.setting, good_.x + to_costly_ * stride));
      if (!there.is_private) {
        bad_ = there;
        return;
      }
      const double slope = (there.excess - good_.excess) / std::abs(there.x - good_.x);
      const double predicted = slope > 0 ? -1.1 * there.miss() / slope : 2 * stride;
      stride = std::clamp(predicted, std::max(finest, 0.01 * stride), 8 * stride);
      good_ = there;
    }
  }

  // A start that is private but for rounding.
  void step_back() {
    for (double stride = 1e-12; !good_.is_private; stride *= 10) {
      bad_ = good_;
      const Setting next = next_to(good_.setting, good_.x - to_costly_ * stride);
      if (stride > 1e3 || next == good_.setting) throw cost_.unreachable(good_.setting);
      good_ = probe(cost_, next);
    }
  }

  bool is_narrow() const {
    if (counts_) return bad_->setting.count - good_.setting.count <= 1;
    return std::abs(bad_->x - good_.x) <= finest;
  }

  // By the line through the last two probes where that leads between both sides; by the one through both sides
  // otherwise; by halves where neither has got far.
  double proposal(const Probe& last, const Probe& before, bool halve) const {
    const double low = std::min(good_.x, bad_->x), high = std::max(good_.x, bad_->x);
    if (halve) return 0.5 * (low + high);
    const double change = last.miss() - before.miss();
    const double secant = last.x - last.miss() * (last.x - before.x) / change;
    // Differences that the intervals' width may have made tell nothing.
    if (std::abs(change) > 4 * last.window && secant > low && secant < high) return secant;
    const double share = std::clamp(good_.miss() / (good_.miss() - bad_->miss()), 0.01, 0.99);
    return good_.x + share * (bad_->x - good_.x);
  }

  Setting between(double x) const {
    if (counts_) {
      const double n = std::round(std::exp(std::min(x, std::log(range_.highest))));
      const std::int64_t low = good_.setting.count + 1, high = bad_->setting.count - 1;
      if (n <= static_cast<double>(low)) return of_count(low);
      return n >= static_cast<double>(high) ? of_count(high) : of_count(static_cast<std::int64_t>(n));
    }
    const double low = std::min(good_.x, bad_->x) + 0.25 * finest, high = std::max(good_.x, bad_->x) - 0.25 * finest;
    return of_value(std::clamp(std::exp(std::clamp(x, low, high)), range_.lowest, range_.highest));
  }

  void narrow() {
    Probe last = *bad_, before = good_;
    double gap_before = std::abs(bad_->x - good_.x);
    for (int i = 1; !good_.is_settled() && !is_narrow() && probes_ < most_probes; ++i, ++probes_) {
      const double gap = std::abs(bad_->x - good_.x);
      const bool slow = i % 4 == 0 && gap > 0.1 * gap_before;
      if (i % 4 == 0) gap_before = gap;
      before = std::exchange(last, probe(cost_, between(proposal(last, before, slow))));
      (last.is_private ? good_ : *bad_) = last;
    }
  }

  // Nothing where more cost is not allowed, or is known to be too much.
  double unspent() const {
    constexpr double next_to_nothing = 1e-6;
    const double target = cost_.target().epsilon;
    if (at_costly_end()) return 0;
    if (counts_ && bad_ && is_narrow() && bad_->lower > target) return 0;
    const double most = target - good_.lower;
    return most > next_to_nothing * target ? most : 0;
  }

  const ExactCost& cost_;
  bool counts_;
  Range range_;
  double to_costly_;
  Probe good_;
  std::optional<Probe> bad_;
  int probes_ = 0;
};

}  // namespace

Found search_exactly(const ExactCost& cost, const Setting& start) {
  // 0 stands apart from a range: from there no stride leads further.
  if (start.value == 0) return {start};
  return Search(cost).from(start);
}

}  // namespace renyi::calibrate_detail
