#include "apps/cli/exact_view.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "apps/cli/describe.h"
#include "apps/cli/number.h"

namespace renyi::cli {
namespace {

using api::Json;

// Narrower than this is as good as no width, and the last digits depend on the machine.
constexpr double finest = 1e-9;

std::string width_in_words(const Json& ends, Width kind) {
  const double lower = number_in(ends.at("lower")), upper = number_in(ends.at("upper"));
  if (lower == upper) return "";
  const bool relative = kind == Width::relative;
  const double width = relative ? (upper - lower) / upper : upper - lower;
  // No figure, just a bound from either side.
  const bool narrow = width <= finest || upper - lower <= upper / 10;
  if (std::isinf(upper) || !narrow) return ", wide";
  return fmt::format(", {} at most {}", relative ? "relative width" : "width",
                     power_of_ten_above(std::max(width, finest)));
}

std::string engine_of(const Json& ends) { return ends.at("engine").get<std::string>(); }

}  // namespace

bool is_there(const Json& part) { return !part.contains("unavailable"); }

void describe_exact(Report& report, const Json& exact, Width width) {
  if (!is_there(exact)) {
    report.row("exact", "unavailable: " + exact.at("unavailable").get<std::string>());
    return;
  }
  report.row("exact", fmt::format("{} (the larger of both{})", interval(exact), width_in_words(exact, width)));
  for (const char* direction : {"remove", "add"}) {
    const Json& ends = exact.at(direction);
    report.row(direction, fmt::format("{} (by {})", interval(ends), engine_of(ends)));
  }
  describe_note(report, exact);
}

void describe_note(Report& report, const Json& part) {
  if (part.contains("note")) report.row("note", part.at("note").get<std::string>());
}

std::string saving(const Json& exact, const Json& bound) {
  const double upper = number_in(exact.at("upper")), renyi = number_in(bound);
  if (!(upper < renyi)) return "";
  const std::string both =
      fmt::format("The Renyi bound is {}, the exact cost at most {}", rounded_up(renyi), rounded_up(upper));
  if (std::isinf(renyi) || upper == 0) return both + '.';
  if (renyi >= 2 * upper) return fmt::format("{}: {} times less.", both, rounded(std::floor(10 * renyi / upper) / 10));
  const double percent = std::floor(1000 * (1 - upper / renyi)) / 10;
  return percent > 0 ? fmt::format("{}: {:.1f} % less.", both, percent) : both + ": hardly less.";
}

}  // namespace renyi::cli
