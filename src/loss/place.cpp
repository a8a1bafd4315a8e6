#include "loss/place.h"

#include <algorithm>

namespace renyi::loss {

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double largest_c = 1e12;
// Where aliases from above are bounded, in standard deviations from the saddle: far for nearly
// normal losses, near for those with a heavy tail.
constexpr double distances[] = {7.5, 4, 1.5};
// A period that exceeds what the aliases from below ask for by no more than this is not to be improved.
constexpr double enough = 1.2;
// Beyond this a place further left is tried.
constexpr double long_period = 1.6;
constexpr double stride_left = 0.85;
constexpr int most_strides = 16;

// The X for which exp(gain)/(exp(rate X) - 1) is exp(log_limit).
double period_for(double gain, double rate, double log_limit) {
  const double odds = gain - log_limit;
  return (odds > 30 ? odds : std::log1p(std::exp(odds))) / rate;
}

}  // namespace

Place::Place(const Curve& curve, Direction direction, double t, const Saddle& saddle, double log_error)
    : curve_(curve), direction_(direction), t_(t), log_error_(log_error), at_(saddle), known_{saddle} {
  const double below = period_for(-level(saddle), saddle.c, log_limit());
  for (const double distance : distances) {
    const double c = saddle.c + distance / std::sqrt(saddle.k.curvature);
    if (!(c < largest_c) || c > curve.last_order() - 1) continue;
    known_.push_back({c, curve.log_moment(c, direction)});
    period_ = period_at(saddle);
    if (period_ < enough * below) break;  // as good as it needs to be
  }
}

// S = sum over k of exp(k c X) g(t + k X), X the period, where g is what the integral gives: below by
// g <= 1, above by g(u) <= exp(K(c') - c' u).
double Place::period_at(const Saddle& at) const {
  const double limit = log_error_ - level(at), below = period_for(-level(at), at.c, limit);
  double above = infinity;
  for (const Saddle& rival : known_) {
    if (!(rival.c > at.c)) continue;
    above = std::min(above, period_for(level(rival) + rival.k.error - level(at), rival.c - at.c, limit));
  }
  return std::max(below, above);
}

// The line's length in y does not depend much on its place: it is what the bulk of the loss asks for.
void Place::improve(double most_lost) {
  const Saddle& saddle = known_.front();
  const auto size = [&](const Saddle& at) { return level(at) - std::log(at.c) - std::log1p(at.c); };
  const double limit = size(saddle) + most_lost;
  double c = at_.c;
  for (int i = 0; i < most_strides && period_ > long_period * period_for(-level(at_), at_.c, log_limit()); ++i) {
    c *= stride_left;
    const Saddle left{c, curve_.log_moment(c, direction_)};
    const double period = period_at(left);
    known_.push_back(left);
    if (!(left.k.curvature > 0 && period < period_ && size(left) < limit)) return;
    at_ = left;
    period_ = period;
  }
}

std::vector<Saddle> Place::rivals() const {
  std::vector<Saddle> result;
  std::copy_if(known_.begin(), known_.end(), std::back_inserter(result),
               [&](const Saddle& rival) { return rival.c > at_.c; });
  return result;
}

}  // namespace renyi::loss
