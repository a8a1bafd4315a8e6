// How far one record moves a statistic, from what is stated about it (docs/math/release.md, "Sensitivity").
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <string>

#include "renyi/error.h"
#include "renyi/exact_number.h"
#include "renyi/release.h"

namespace renyi::release {
namespace sensitivity_file {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
// The ranges of sensitivities in the catalogue of mechanisms.
constexpr double least = 1e-50, most = 1e50;
constexpr double largest_shift = 1e6;  // for noise on whole numbers

// Products and roots are rounded up, unless they are exact.
double up(double value) { return std::nextafter(value, infinity); }
double product(double a, double b) {
  const double near = a * b;
  return std::fma(a, b, -near) > 0 ? up(near) : near;
}
double root(double a) {
  const double near = std::sqrt(a);
  return std::fma(near, near, -a) < 0 ? up(near) : near;
}

// Whether count times the shortest decimal that `each` is the nearest double to is more than this whole number. The
// product is from about 1/2 to 10^7 and the count at most 2^53, so that no number here has more than 36 digits.
bool is_above(double count, double each, double whole) {
  __extension__ using Wide = unsigned __int128;
  const auto decimal = noise::ExactNumber::parse(fmt::format("{}", each));
  Wide sum = static_cast<Wide>(std::stoull(decimal->numerator())) * static_cast<Wide>(count);
  Wide limit = static_cast<Wide>(whole);
  const int exponent = std::stoi(decimal->exponent());
  for (int i = 0; i < std::abs(exponent); ++i) (exponent < 0 ? limit : sum) *= 10;
  return sum > limit;
}

// The sum of so many moves. Each may be a decimal that is a little more than its double, and the sum is rounded to
// whole numbers: 15 times 0.06666666666666667 is more than 1.
double sum_of(double count, double each) {
  const double near = product(count, each);
  const bool matters = near >= 0.5 && near <= largest_shift;
  return matters && is_above(count, each, std::ceil(near)) ? up(std::ceil(near)) : near;
}

double positive(const std::optional<double>& number, const char* field) {
  if (!number) return infinity;
  if (*number >= least && *number <= most) return *number;
  throw InvalidArgument(field, "a number", "a number from 1e-50 to 1e50");
}

void check_count(const std::optional<std::int64_t>& count, const char* field) {
  if (count && *count < 1) throw InvalidArgument(field, "a number", "a whole number of at least 1");
}

// What is stated in pairs must be stated whole.
void check_pair(bool first, bool second, const char* one, const char* other) {
  if (first == second) return;
  throw InvalidArgument(first ? other : one, "nothing",
                        fmt::format("a number, because {} is given", first ? one : other));
}

// Takes whichever bounds are smaller.
void lower(Sensitivity& known, double l1, double l2) {
  known.l1 = std::min(known.l1, l1);
  known.l2 = std::min(known.l2, l2);
}

// At most `coordinates` numbers are moved, each by at most `each`: l1 = coordinates * each, l2 = sqrt(coordinates) *
// each.
void move(Sensitivity& known, double coordinates, double each) {
  lower(known, product(coordinates, each), product(root(coordinates), each));
  const double whole = std::ceil(each);
  if (whole > largest_shift || coordinates > 0x1p53) return;
  known.coordinates = static_cast<std::int64_t>(coordinates);
  known.each = whole;
}

// One record moves at most max_bins bins by at most max_per_bin each. A replacement takes one record away and adds
// another one: in each bin, the two moves are at most max_per_bin together if both have the same sign, and twice that
// otherwise.
void move_bins(Sensitivity& known, const Statistic& statistic, bool replaces) {
  const auto size = static_cast<double>(statistic.size());
  const double bins = std::min(static_cast<double>(*statistic.bounds.max_bins), size);
  const double each = positive(statistic.bounds.max_per_bin, "max_per_bin");
  if (!replaces) return move(known, bins, each);
  if (statistic.bounds.is_nonnegative) return move(known, std::min(2 * bins, size), each);
  lower(known, product(2 * bins, each), product(2 * root(bins), each));
}

// One person has at most max_records records, and each moves one number by at most max_per_record. All of them may move
// the same number.
void move_records(Sensitivity& known, const Statistic& statistic, bool replaces) {
  const double records = static_cast<double>(*statistic.bounds.max_records);
  const double each = positive(statistic.bounds.max_per_record, "max_per_record");
  const double sum = sum_of(records, each);
  const bool is_number = statistic.size() == 1, same_sign = statistic.bounds.is_nonnegative;
  if (is_number) return move(known, 1, replaces && !same_sign ? 2 * sum : sum);
  if (!replaces && records == 1) return move(known, 1, each);
  if (!replaces) return lower(known, sum, sum);
  lower(known, 2 * sum, same_sign ? product(root(2), sum) : 2 * sum);
}

}  // namespace
}  // namespace sensitivity_file

Sensitivity sensitivity(const Statistic& statistic, const Adjacency& relation) {
  namespace file = sensitivity_file;
  const ContributionBounds& bounds = statistic.bounds;
  const bool replaces = relation.neighbors == Neighbors::replace_one, is_number = statistic.size() == 1;
  file::check_count(bounds.max_bins, "max_bins");
  file::check_count(bounds.max_records, "max_records");
  file::check_pair(bounds.max_bins.has_value(), bounds.max_per_bin.has_value(), "max_bins", "max_per_bin");
  file::check_pair(bounds.max_records.has_value(), bounds.max_per_record.has_value(), "max_records", "max_per_record");
  if (bounds.max_bins && statistic.bins.empty()) {
    throw InvalidArgument("max_bins", "a number", "max_records and max_per_record for a statistic that is one number");
  }
  Sensitivity known{.l1 = file::positive(bounds.l1_sensitivity, "l1_sensitivity"),
                    .l2 = file::positive(bounds.l2_sensitivity, "l2_sensitivity")};
  if (bounds.max_records) file::move_records(known, statistic, replaces);
  if (bounds.max_bins) file::move_bins(known, statistic, replaces);
  // |x|_2 <= |x|_1 <= sqrt(n) |x|_2
  known.l2 = std::min(known.l2, known.l1);
  known.l1 = std::min(known.l1, file::product(file::root(static_cast<double>(statistic.size())), known.l2));
  if (is_number && known.l2 <= file::largest_shift) {
    known.coordinates = 1;
    known.each = std::ceil(known.l2);
  }
  if (std::isfinite(known.l2)) return known;
  throw InvalidArgument("l2_sensitivity", "nothing",
                        "how far one record moves the statistic: l2_sensitivity, l1_sensitivity, max_records with "
                        "max_per_record, or for a histogram max_bins with max_per_bin");
}

}  // namespace renyi::release
