#include "calibrate/search.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "conversion/renyi_bound.h"
#include "exact/privacy_profile.h"
#include "renyi/limits.h"

namespace renyi::calibrate_detail {

namespace search_file {
namespace {

// A "count" is the number of steps of the run.
std::string in_words(const Parameter& number, const Setting& setting) {
  if (number.name == "count") return fmt::format("{} step{}", setting.count, setting.count == 1 ? "" : "s");
  return number.whole ? fmt::format("{} {}", number.name, setting.count)
                      : fmt::format("{} {}", number.name, setting.value);
}

// Intervals of ln(cost) narrower than `narrow` come from smooth engines, whose bounds can be followed as closely as
// needed; so can Renyi bounds. Other intervals are followed to their width, or to the requested width if that is
// narrower; not so if an engine stopped before it reached that width: each such answer takes long, and the noise of its
// bounds is as large as the interval is wide.
double width_of(double width, double asked_width, const ExactInterval& figure) {
  constexpr double narrow = 1e-7, coarsest = 1e-3;
  const bool is_smooth = figure.engine == Engine::bounds && !figure.limited;
  if (is_smooth || !(width > narrow)) return 0;  // also for infinity - infinity
  return std::min(figure.limited ? width : std::min(width, asked_width), coarsest);
}

// ln(cost / target) without infinities; for a cost or a target of 0 only its sign has a meaning. It is nearly linear in
// ln(value).
double log_ratio(double cost, double target) {
  if (target == 0 || cost == 0) return cost <= target ? -far : far;
  return std::clamp(std::log(cost / target), -far, far);
}

}  // namespace
}  // namespace search_file

Probe SettingCost::probe(const Setting& setting, double x) const {
  Probe found{.setting = setting, .x = x, .excess = far};
  try {
    prepare(setting);
  } catch (const InvalidArgument& error) {
    found.unsupported_reason = error.what();
    return found;
  } catch (const Unsupported& error) {
    found.unsupported_reason = error.what();
    return found;
  }
  try {
    judge(found);
  } catch (const NotConverged&) {
  } catch (const Unsupported&) {  // the requested engine does not support this plan
  }
  if (std::isnan(found.excess)) found.excess = far;
  found.excess = found.is_private ? std::min(found.excess, 0.0) : std::max(found.excess, 1e-15);
  return found;
}

Unsupported SettingCost::unreachable(const Setting& best) const {
  constexpr int shown_digits = 6;
  return {"epsilon",
          fmt::format("the target {} at delta {} cannot be reached: even {} gives epsilon {}", target_.epsilon,
                      target_.delta, search_file::in_words(plan_.number(), best),
                      to_digits(epsilon(best), shown_digits, true)),
          "raise epsilon or delta, or change the rest of the plan"};
}

void RenyiCost::prepare(const Setting& setting) const {
  if (curve_ && prepared_ == setting) return;
  curve_ = plan().with(setting).curve;
  prepared_ = setting;
}

RenyiBound RenyiCost::bound(const Setting& setting) const {
  prepare(setting);
  return renyi_epsilon(*curve_, target().delta, options_);
}

void RenyiCost::judge(Probe& probe) const {
  const double cost = epsilon(probe.setting);
  probe.is_private = cost <= target().epsilon;
  probe.excess = search_file::log_ratio(cost, target().epsilon);
  probe.lower = cost;  // the bound itself counts as the cost
}

void ExactCost::prepare(const Setting& setting) const {
  if (prepared_ == setting) return;
  prepared_.reset();
  composed_ = plan().with(setting);
  accountant_.emplace(composed_.steps, composed_.curve, options_);
  prepared_ = setting;
}

ExactAnswer ExactCost::answer(const Setting& setting) const {
  for (const AnsweredSetting& before : answered_) {
    if (before.setting == setting) return before.answer;
  }
  if (!reached_limit().empty()) {  // the decision was made by a wider interval than this one would be
    for (const AnsweredSetting& before : decided_) {
      if (before.setting == setting) return before.answer;
    }
  }
  prepare(setting);
  return answered_.emplace_back(AnsweredSetting{setting, accountant_->epsilon(target().delta)}).answer;
}

// Far from the target a wide interval decides the side as well, and is cheaper if narrow intervals take long. The
// search converges faster than quadratically, so that the next excess is no larger than the square of the last one.
std::optional<ExactInterval> ExactCost::decided(const Setting& setting) const {
  constexpr double margin = 4;  // in widths
  for (const double share : {1e-2, 1e-4}) {
    ExactOptions coarse = options_;
    coarse.tolerance = share * target().epsilon;
    if (!(coarse.tolerance > 10 * options_.tolerance)) break;
    if (last_excess_ * last_excess_ < margin * share) continue;
    const ExactAnswer found = PrivacyProfile(composed_.steps, composed_.curve, coarse).epsilon(target().delta);
    const double width = found.worst.upper - found.worst.lower;
    if (width <= options_.tolerance) return answered_.emplace_back(AnsweredSetting{setting, found}).answer.worst;
    if (std::abs(found.worst.upper - target().epsilon) > margin * width) {
      return decided_.emplace_back(AnsweredSetting{setting, found}).answer.worst;
    }
  }
  return std::nullopt;
}

void ExactCost::judge(Probe& probe) const {
  const auto coarse = decided(probe.setting);
  const ExactInterval epsilon = coarse ? *coarse : answer(probe.setting).worst;
  const double most = target().epsilon;
  probe.lower = epsilon.lower;
  probe.is_private = epsilon.upper <= most;
  if (most > 0) {
    const double asked_width = (coarse ? most : options_.tolerance) / most;
    probe.excess = search_file::log_ratio(epsilon.upper, most);
    probe.width = search_file::width_of((epsilon.upper - epsilon.lower) / most, asked_width, epsilon);
    last_excess_ = std::abs(probe.excess);
    return;
  }
  // For such a target epsilon(delta) is 0 on the whole private side; delta(0) is not, and decides the same question.
  const ExactInterval delta = accountant_->delta(0).worst;
  probe.excess = search_file::log_ratio(delta.upper, target().delta);
  probe.width = search_file::width_of(search_file::log_ratio(delta.upper, delta.lower), options_.tolerance, delta);
}

namespace search_file {
namespace {

constexpr double finest = 6e-10;        // in ln(value): a value this close to the boundary is the boundary
constexpr double rough = 2e-3;          // in ln(cost / target), for a start
constexpr double first_slope = 1;       // costs are about in proportion to a rate, a sensitivity, or to 1/noise
constexpr double first_leap = 4;        // in ln(value)
constexpr double longest_leap = 8;      // the largest ratio of a stride to the one before
constexpr double next_to_fence = 1e-9;  // in ln(value), from a value at which the plan is not supported
constexpr double steepest = 1e-6;       // in ln(cost / target) within the finest distance
constexpr int most_probes = 240;        // needed if costs jump or engines change; otherwise a handful is enough

enum class Wanted { boundary, start };

class Walk {
 public:
  Walk(const SettingCost& cost, const SearchAxis& axis, Wanted wanted) : cost_(cost), axis_(axis), wanted_(wanted) {}

  void from(const Start& start) {
    slope_ = start.slope.value_or(first_slope);
    if (!look(start.setting)) {
      fence_.reset();
      const Setting& held = cost_.plan().held();
      if (!look(held)) {
        cost_.epsilon(held);  // throws the reason
        throw NotConverged("calibration: no value at which the plan is analysed");
      }
    }
    try {
      while (!is_done() && probes_ < most_probes) {
        stop_if_asked();
        look(next());
      }
    } catch (const LimitReached&) {
      if (!good_ && wanted_ == Wanted::boundary) throw;
      stopped_ = true;  // the last value that met the target is an answer, if not the best one
    }
  }

  SearchResult found() const {
    if (good_ && stopped_) return {good_->setting, unspent()};
    if (good_) return {tidy(), unspent(), stopped_by_fence() ? fence_->unsupported_reason : ""};
    const Parameter& number = cost_.plan().number();
    // A range may contain 0 separately from the rest: a rate of 0 samples no records.
    if (number.allows(0) && number.effect == Effect::raises_cost &&
        cost_.probe(of_value(0), axis_.lowest()).is_private) {
      return {of_value(0)};
    }
    throw cost_.unreachable(bad_->setting);
  }

  Start start() const {
    const bool is_likely = slope_is_new_ && slope_ > 0.01 && slope_ < far;  // others come from flat costs or jumps
    return {last_.setting, is_likely ? std::optional(slope_) : std::nullopt};
  }

 private:
  double to_costly() const { return axis_.more_is_private() ? -1 : 1; }
  double costly_end() const { return axis_.more_is_private() ? axis_.lowest() : axis_.highest(); }
  double private_end() const { return axis_.more_is_private() ? axis_.highest() : axis_.lowest(); }
  // The direction of the search while all probes are on one side.
  double ahead() const { return good_ ? to_costly() : -to_costly(); }
  double end_ahead() const { return good_ ? costly_end() : private_end(); }
  const Probe& foremost() const { return good_ ? *good_ : *bad_; }

  // Evaluates the setting and records the result. Returns false if the plan is not supported there.
  bool look(const Setting& setting) {
    Probe there = cost_.probe(setting, axis_.coordinate_of(setting));
    ++probes_;
    if (!there.is_supported() && !(good_ && bad_)) {
      fence_ = std::move(there);
      return false;
    }
    if (has_last_) note_slope(there);
    had_two_ = std::exchange(has_last_, true);
    last_ = there;
    (there.is_private ? good_ : bad_) = std::move(there);
    return true;
  }

  static bool has_size(const Probe& probe) { return std::abs(probe.excess) < far; }

  // Updates the slope from the last two probes if they determine it; its sign is known. Probes close to each other give
  // no new information.
  void note_slope(const Probe& there) {
    const double rise = std::abs(there.excess - last_.excess), run = std::abs(there.x - last_.x);
    if (run < 1e-7 && std::abs(there.excess) < 1e-4) return;
    slope_is_new_ = has_size(there) && has_size(last_) && rise > 4 * there.width && rise > 1e-12;
    if (slope_is_new_) slope_ = rise / run;
  }

  // An excess this little below 0 counts as the target. A slope may come from a jump, which gives no information on the
  // next value.
  double window() const { return std::max(good_->width, std::min(finest * slope_, steepest)); }
  bool is_settled() const {
    if (wanted_ == Wanted::start) return std::abs(last_.excess) <= rough;
    if (!good_ || good_->excess < -window()) return false;
    // The next whole number may meet the target as well, unless intervals are too wide to distinguish it from this one.
    return !axis_.is_whole() || (good_->width > 0 && good_->setting.value * finest > 1);
  }

  bool is_narrow() const {
    if (axis_.is_whole()) return std::abs(bad_->setting.count - good_->setting.count) <= 1;
    return std::abs(bad_->x - good_->x) <= (wanted_ == Wanted::start ? rough : 0.5 * finest);
  }

  bool is_next_to_fence() const {
    if (!fence_) return false;
    if (axis_.is_whole()) return std::abs(foremost().setting.count - fence_->setting.count) <= 1;
    return std::abs(foremost().x - fence_->x) <= next_to_fence;
  }
  bool stopped_by_fence() const { return !bad_ && is_next_to_fence(); }

  bool is_done() const {
    if (is_settled()) return true;
    if (good_ && bad_) return is_narrow();
    return foremost().setting == axis_.at(end_ahead()) || is_next_to_fence();
  }

  Setting next() {
    if (good_ && bad_) return between();
    return fence_ ? before_fence() : further_on();
  }

  // Returns the distance from the excess to aim for: 0, less half of the width that counts as the target as well.
  double miss(const Probe& probe) const {
    return probe.excess + 0.5 * (wanted_ == Wanted::start ? 0 : std::max(probe.width, finest * slope_));
  }

  Setting next_whole() const { return of_whole(foremost().setting.count + (ahead() > 0 ? 1 : -1)); }

  // With probes on one side only, moves to where the line through the last two probes meets the target; in growing
  // strides if that line is flat.
  Setting further_on() {
    const Probe& here = foremost();
    const bool knows = has_size(here) && (!had_two_ || slope_is_new_);
    const double predicted = knows ? std::abs(miss(here)) / slope_ : 2 * stride_;
    const double longest = had_two_ ? longest_leap * stride_ : first_leap;
    stride_ = std::clamp(predicted, 0.5 * finest, std::max(longest, finest));
    const Setting there = axis_.at(here.x + ahead() * stride_);
    return axis_.is_whole() && there == here.setting ? next_whole() : there;
  }

  Setting before_fence() const {
    const Setting there = axis_.at(0.5 * (foremost().x + fence_->x));
    if (!axis_.is_whole()) return there;
    const auto [low, high] = std::minmax(foremost().setting.count, fence_->setting.count);
    // Large neighbouring integers have the same coordinate.
    return low < high / 2 ? of_whole(std::clamp(there.count, low + 1, high - 1)) : of_whole(low + (high - low) / 2);
  }

  // Proposes the root of the line through the last two probes if it lies between both sides, and otherwise that of the
  // line through both sides; bisects if neither has made progress.
  double proposal() {
    const double low = std::min(good_->x, bad_->x), high = std::max(good_->x, bad_->x), gap = high - low;
    // Close to a cost of 0 lines are of little use: the cost may jump from there to more than the target.
    const int patience = has_size(*good_) && has_size(*bad_) ? 3 : 2;
    if (++since_halving_ >= patience) {
      const bool slow = gap > 0.1 * gap_before_;
      gap_before_ = gap;
      since_halving_ = 0;
      if (slow) return 0.5 * (low + high);
    }
    const double secant = last_.x - to_costly() * miss(last_) / slope_;
    if (slope_is_new_ && secant > low && secant < high) return secant;
    const double share = miss(*good_) / (miss(*good_) - miss(*bad_));
    return good_->x + std::clamp(share, 0.01, 0.99) * (bad_->x - good_->x);
  }

  Setting between() {
    const double x = proposal();
    if (!axis_.is_whole()) {
      const auto [low, high] = std::minmax(good_->x, bad_->x);
      return axis_.at(std::clamp(x, low + 0.05 * finest, high - 0.05 * finest));
    }
    const auto [low, high] = std::minmax(good_->setting.count, bad_->setting.count);
    return of_whole(std::clamp(axis_.at(x).count, low + 1, high - 1));
  }

  // A decimal of few digits that is as close to the boundary as the result is taken as the boundary, if it is private:
  // pure losses, which add exactly, meet a target there.
  Setting tidy() const {
    constexpr int few = 6;
    const Setting found = good_->setting;
    if (axis_.is_whole() || !(found.value > 0)) return found;
    for (const bool up : {false, true}) {
      const double decimal = to_digits(found.value, few, up);
      if (decimal == found.value || !(std::abs(std::log(decimal / found.value)) < 2 * finest)) continue;
      const Probe there = cost_.probe(of_value(decimal), axis_.coordinate_of(of_value(decimal)));
      if (there.is_supported() && there.is_private) return there.setting;
    }
    return found;
  }

  // Returns 0 if more cost is not allowed, or is known to be too much.
  double unspent() const {
    constexpr double next_to_nothing = 1e-6;
    const double target = cost_.target().epsilon;
    if (good_->setting == axis_.at(costly_end())) return 0;
    if (axis_.is_whole() && bad_ && is_narrow() && bad_->lower > target) return 0;
    const double most = target - good_->lower;
    return most > next_to_nothing * target ? most : 0;
  }

  const SettingCost& cost_;
  const SearchAxis& axis_;
  Wanted wanted_;
  std::optional<Probe> good_{}, bad_{}, fence_{};  // private, too costly, and the limit of support
  Probe last_{};
  bool has_last_ = false, had_two_ = false, slope_is_new_ = true, stopped_ = false;
  double slope_ = first_slope, stride_ = 0.7, gap_before_ = far;
  int probes_ = 0, since_halving_ = 0;
};

}  // namespace
}  // namespace search_file

SearchResult search(const SettingCost& cost, const SearchAxis& axis, const Start& start) {
  search_file::Walk walk(cost, axis, search_file::Wanted::boundary);
  walk.from(start);
  return walk.found();
}

Start approximate_start(const SettingCost& cost, const SearchAxis& axis) {
  search_file::Walk walk(cost, axis, search_file::Wanted::start);
  walk.from({axis.one()});
  return walk.start();
}

}  // namespace renyi::calibrate_detail
