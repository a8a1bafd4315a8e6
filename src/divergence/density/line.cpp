#include "divergence/density/line.h"

#include <fmt/format.h>

#include <cmath>
#include <utility>

#include "numerics/exponentials.h"
#include "numerics/rounding.h"
#include "renyi/error.h"

namespace renyi::divergence_detail {

double rounding_of(double log_density) { return 4 * numerics::unit_roundoff * (1 + std::abs(log_density)); }

namespace line_file {
namespace {

constexpr double nothing = -INFINITY;

// ((1-rate) Q + rate P, Q), 0 < rate < 1. The loss ln(1 + rate (p/q - 1)) keeps its digits however small the rate is.
LogPair mixed_pair(const LogPair& given, double rate) {
  if (given.q == nothing) return {given.p == nothing ? nothing : given.p + std::log(rate), nothing};
  const double l = given.p - given.q, loss = numerics::mixed_loss(rate, l);
  const double of_l = given.p == nothing ? 0 : rounding_of(given.p) + rounding_of(given.q);
  // exp(l) has a relative error of of_l, which is counted twice to cover the share above l.
  const double rounding = 2 * numerics::mixed_loss_slope(rate, l) * of_l + 8 * numerics::unit_roundoff * std::abs(loss);
  return {given.q + loss, given.q, loss, rounding};
}

double checked(const char* field, double value, double x) {
  if (!std::isnan(value)) return value;
  throw InvalidArgument(field, fmt::format("nan at x = {}", x), "a number, or -infinity where there is no density");
}

bool is_regular(const LogPair& at) { return std::isfinite(at.p) && std::isfinite(at.q); }
bool is_empty(const LogPair& at) { return at.p == -INFINITY && at.q == -INFINITY; }

}  // namespace
}  // namespace line_file

Line::Line(LogDensities densities) : given_(std::move(densities)) {
  if (!given_.log_p) throw InvalidArgument("log_p", "nothing", "a function");
  if (!given_.log_q) throw InvalidArgument("log_q", "nothing", "a function");
  if (!(given_.lower < given_.upper)) {
    throw InvalidArgument("lower", fmt::format("{} with upper = {}", given_.lower, given_.upper),
                          "an interval: lower below upper");
  }
  for (const double point : given_.points) {
    if (std::isfinite(point) && point >= given_.lower && point <= given_.upper) continue;
    throw InvalidArgument("points", fmt::format("{}", point), "finite points of the interval");
  }
}

Line Line::swapped() const {
  Line other = *this;
  if (rate_ < 1) {
    other.turned_ = !turned_;
  } else {
    std::swap(other.given_.log_p, other.given_.log_q);
  }
  return other;
}

Line Line::mixed(double rate) const {
  Line other = *this;
  other.rate_ = rate;
  return other;
}

// A point that rounding moved to an end of the interval is moved inside.
LogPair Line::raw(double x) const {
  if (x <= given_.lower) x = std::nextafter(given_.lower, given_.upper);
  if (x >= given_.upper) x = std::nextafter(given_.upper, given_.lower);
  const LogPair given{line_file::checked("log_p", given_.log_p(x), x), line_file::checked("log_q", given_.log_q(x), x)};
  if (rate_ == 1) return given;
  const LogPair mixed = line_file::mixed_pair(given, rate_);
  return turned_ ? mixed.swapped() : mixed;
}

LogPair Line::at(double x) const {
  const LogPair here = raw(x);
  if (line_file::is_regular(here) || line_file::is_empty(here)) return here;
  const double step = 1e-9 * std::abs(x) + 1e-300;
  const double left = x - step, right = x + step;
  if (contains(left) && contains(right)) {
    const LogPair before = raw(left), after = raw(right);
    if (line_file::is_regular(before) && line_file::is_regular(after)) return after;
  }
  if (here.p < INFINITY && here.q < INFINITY) return here;
  throw InvalidArgument(here.p == INFINITY ? "log_p" : "log_q", fmt::format("inf at x = {}", x),
                        "a number below infinity");
}

}  // namespace renyi::divergence_detail
