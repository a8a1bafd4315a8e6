// The intersection of two intervals for one number, and what becomes of two that do not meet.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string>

#include "exact/engine.h"

namespace renyi::exact {

namespace intersection_file {
namespace {

std::string in_words(std::string_view method, const Interval& ends) {
  return fmt::format("{} [{}, {}]", method, ends.lower, ends.upper);
}

}  // namespace
}  // namespace intersection_file

bool has_nan(const Interval& ends) { return std::isnan(ends.lower) || std::isnan(ends.upper); }

void add_contradiction(ExactInterval& figure, const ExactInterval& from) {
  if (figure.contradiction.empty()) figure.contradiction = from.contradiction;
}

ExactInterval with_ordered_ends(ExactInterval figure) {
  if (figure.lower <= figure.upper) return figure;
  if (figure.contradiction.empty()) {
    figure.contradiction = intersection_file::in_words(to_string(figure.engine), figure) + " by itself";
  }
  figure.upper = std::max(figure.lower, figure.upper);
  figure.lower = 0;
  return figure;
}

// Which method is wrong is unknown, so no lower end but 0 is known to hold, neither now nor after a further
// intersection. Ends the wrong way round make the larger lower end exceed the smaller upper end as well.
ExactInterval intersection_or_hull(ExactInterval figure, const Interval& other, std::string_view method) {
  const double least = std::max(figure.lower, other.lower), most = std::min(figure.upper, other.upper);
  if (least <= most) {
    figure.lower = figure.contradiction.empty() ? least : 0;
    figure.upper = most;
    return figure;
  }
  if (figure.contradiction.empty()) {
    figure.contradiction = fmt::format("{} and {}", intersection_file::in_words(to_string(figure.engine), figure),
                                       intersection_file::in_words(method, other));
  }
  figure.upper = std::max({figure.upper, figure.lower, other.lower, other.upper});
  figure.lower = 0;
  return figure;
}

ExactInterval intersection_or_hull(const ExactInterval& a, const ExactInterval& b) {
  const ExactInterval& narrower = b.upper - b.lower < a.upper - a.lower ? b : a;
  const ExactInterval& other = &narrower == &a ? b : a;
  ExactInterval figure = intersection_or_hull(narrower, other, to_string(other.engine));
  add_contradiction(figure, other);
  if (!figure.contradiction.empty()) figure.lower = 0;
  return figure;
}

}  // namespace renyi::exact
