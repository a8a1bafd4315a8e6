#include "mechanism/skellam/table.h"

#include <algorithm>
#include <cmath>

#include "renyi/error.h"

namespace renyi::mechanism {

namespace {

constexpr double most_entries = 4e6;

// r_n = I_n/I_{n-1} = 1/(2n/v + r_{n+1}), from far above downwards: an error at n+1 shrinks by r_n^2, so that any start
// in (0, 1) will do where the product of all r_n^2 above is below rounding.
std::unique_ptr<const SkellamTable> make_table(double v, std::size_t last) {
  const auto start = last + static_cast<std::size_t>(12 * std::sqrt(v)) + 60;
  std::vector<long double> ratio(start + 2, 0);
  const auto size = static_cast<long double>(v);
  const auto above = static_cast<long double>(start) + 1;
  ratio[start + 1] = size / (above + std::sqrt(above * above + size * size));
  for (std::size_t n = start; n >= 1; --n) ratio[n] = 1 / (2 * static_cast<long double>(n) / size + ratio[n + 1]);
  // The masses sum to 1: that of 0 is 1/(1 + 2 r_1 + 2 r_1 r_2 + ...).
  long double total = 1, power = 1;
  for (std::size_t n = 1; n <= start; ++n) total += 2 * (power *= ratio[n]);
  auto table = std::make_unique<SkellamTable>();
  long double log_mass = -std::log(total);
  for (std::size_t n = 0; n <= last; ++n) {
    const long double fall = n == 0 ? 0 : -std::log(ratio[n]);
    log_mass -= fall;
    table->log_mass.push_back(static_cast<double>(log_mass));
    table->fall.push_back(static_cast<double>(fall));
  }
  return table;
}

}  // namespace

const SkellamTable& SkellamTables::reaching(double n) const {
  const SkellamTable* table = newest_.load(std::memory_order_acquire);
  if (table != nullptr && n < static_cast<double>(table->fall.size())) return *table;
  if (!(n < most_entries)) throw NotConverged("Skellam noise: more than 4e6 integers needed");
  const std::scoped_lock lock(growing_);
  const double least = 45 * std::sqrt(variance_) + 400,
               had = all_.empty() ? 0 : 2 * static_cast<double>(all_.back()->fall.size());
  all_.push_back(make_table(variance_, static_cast<std::size_t>(std::max({n + 1, least, had}))));
  newest_.store(all_.back().get(), std::memory_order_release);
  return *all_.back();
}

}  // namespace renyi::mechanism
