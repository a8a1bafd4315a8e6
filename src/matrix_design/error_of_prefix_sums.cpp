#include "matrix_design/error_of_prefix_sums.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <optional>

#include "renyi/error.h"
#include "renyi/limits.h"

namespace renyi {

namespace matrix_design {

namespace error_of_prefix_sums_file {
namespace {

// The coefficients w_j of 1 / ((1 - x) c(x)), which are the entries of A C^-1: the first ones, and the constant that
// all later ones are.
struct Weights {
  Series first{};
  double later = 0;
};

// Relative to the constant, later weights may differ by this: in figures that are reported, and in a search.
constexpr double settled = 1e-11;
constexpr double nearly_settled = 1e-6;
// Multiplications that a recurrence may take.
constexpr double most_multiplications = 2e9;
// Up to this many bands the recurrence is faster than the Fourier transform.
constexpr std::size_t few_bands = 48;
// Weights that have not settled after this many times as many as there are bands never will: a zero of c lies on the
// unit circle, or, at a point that a search tries, within it.
constexpr std::size_t most_unsettled = 4096;
// Weights that are computed between two looks at the limits.
constexpr std::size_t at_a_time = 4096;

bool falls(std::span<const double> c) { return c.back() >= 0 && std::is_sorted(c.rbegin(), c.rend()); }

// c_0 w_j = 1 - sum_{k >= 1} c_k w_{j-k}.
class Recurrence {
 public:
  explicit Recurrence(std::span<const double> c) : first_(c[0]), reversed_(c.rbegin(), c.rend()) {}

  // Returns w_j; w[0] is w_0, or a later weight if at least as many as c has coefficients stand before w[j].
  double at(const Series& w, std::size_t j) const {
    const std::size_t most = reversed_.size() - 1, terms = std::min(j, most);
    const double* coefficients = reversed_.data() + (most - terms);
    return (1 - std::inner_product(coefficients, coefficients + terms, w.data() + (j - terms), 0.0)) / first_;
  }

 private:
  double first_;
  Series reversed_;
};

Series by_recurrence(std::span<const double> c, std::size_t length) {
  const Recurrence recurrence(c);
  Series w(length);
  for (std::size_t j = 0; j < length; ++j) {
    if ((j + 1) % at_a_time == 0) stop_if_asked();
    w[j] = recurrence.at(w, j);
  }
  return w;
}

Series by_newton(std::span<const double> c, std::size_t length) {
  Series w = inverse(c, length);
  std::partial_sum(w.begin(), w.end(), w.begin());
  return w;
}

bool has_settled(const Series& w, double later, std::size_t bands, double tolerance) {
  const auto is_near = [&](double x) { return std::abs(x - later) <= tolerance * std::abs(later); };
  return w.size() > bands && std::all_of(w.end() - static_cast<std::ptrdiff_t>(bands), w.end(), is_near);
}

// If the coefficients fall, no zero of c lies within the unit circle (Enestroem, Kakeya), and the weights approach
// 1 / c(1) unless a zero lies on it: as many weights are computed as are needed. Returns nothing if they do not settle.
std::optional<Weights> settling_weights(std::span<const double> c, std::size_t rounds, double tolerance) {
  const double later = 1 / std::accumulate(c.begin(), c.end(), 0.0);
  for (std::size_t length = std::min(rounds, 64 * c.size()); length <= most_unsettled * c.size();
       length = std::min(rounds, 2 * length)) {
    check_memory(static_cast<double>(5 * length * sizeof(double)), "the weights of the noise");
    Series w = c.size() <= few_bands ? by_recurrence(c, length) : by_newton(c, length);
    if (length == rounds || has_settled(w, later, c.size(), tolerance)) return Weights{std::move(w), later};
  }
  return std::nullopt;
}

// The sum of rounds - j over the rounds j from `from` on.
double rounds_after(std::size_t rounds, std::size_t from) {
  const auto rest = static_cast<double>(rounds - from);
  return rest * (rest + 1) / 2;
}

// Round i adds the squares of the weights 0 to i, so weight j counts in rounds - j of them.
PrefixSumError error_of(const Weights& weights, std::size_t rounds) {
  double mean = 0, largest = 0;
  const Series& w = weights.first;
  for (std::size_t j = 0; j < w.size(); ++j) {
    mean += static_cast<double>(rounds - j) * w[j] * w[j];
    largest += w[j] * w[j];
  }
  const double square = weights.later * weights.later;
  mean += rounds_after(rounds, w.size()) * square;
  largest += static_cast<double>(rounds - w.size()) * square;
  return {mean / static_cast<double>(rounds), largest};
}

// The same sums over all weights, of which only the last ones are kept.
PrefixSumError error_without_settling(std::span<const double> c, std::size_t rounds) {
  if (static_cast<double>(rounds) * static_cast<double>(c.size()) > most_multiplications) {
    throw Unsupported("coefficients", "the error of so many rounds is computed for coefficients that fall",
                      "use coefficients that are not negative and fall, or fewer rounds");
  }
  const Recurrence recurrence(c);
  Series w(c.size() + at_a_time);
  const std::size_t between_looks = std::max<std::size_t>(1, few_bands * at_a_time / c.size());
  double mean = 0, largest = 0;
  std::size_t place = 0;
  for (std::size_t j = 0; j < rounds; ++j, ++place) {
    if ((j + 1) % between_looks == 0) stop_if_asked();
    if (place == w.size()) {
      place = c.size();
      std::copy(w.end() - static_cast<std::ptrdiff_t>(place), w.end(), w.begin());
    }
    w[place] = recurrence.at(w, place);
    mean += static_cast<double>(rounds - j) * w[place] * w[place];
    largest += w[place] * w[place];
  }
  return {mean / static_cast<double>(rounds), largest};
}

PrefixSumError error_of(std::span<const double> c, std::size_t rounds) {
  const std::optional<Weights> weights = falls(c) ? settling_weights(c, rounds, settled) : std::nullopt;
  return weights ? error_of(*weights, rounds) : error_without_settling(c, rounds);
}

void check(std::span<const double> c, std::int64_t rounds) {
  if (rounds < 1 || rounds > most_designed_rounds) {
    throw InvalidArgument("rounds", fmt::format("{}", rounds),
                          fmt::format("a whole number in [1, {}]", most_designed_rounds));
  }
  const auto allowed = fmt::format("1 to {} finite numbers, the first of which is not 0", most_designed_bands);
  if (c.empty() || c.size() > static_cast<std::size_t>(most_designed_bands)) {
    throw InvalidArgument("coefficients", fmt::format("{} numbers", c.size()), allowed);
  }
  if (c[0] == 0 || !std::all_of(c.begin(), c.end(), [](double x) { return std::isfinite(x); })) {
    throw InvalidArgument("coefficients", c[0] == 0 ? "0 first" : "a number that is not finite", allowed);
  }
}

}  // namespace
}  // namespace error_of_prefix_sums_file

// With w = 1 / ((1 - x) c), a change of c_k changes w by -x^k w / c, so the derivative of the sum of (n - j) w_j^2 is
// -2 sum_j (n - j) w_j v_{j-k} for v = w / c, whose later coefficients are 1 / c(1)^2.
MeanErrorGradient mean_error_gradient(std::span<const double> coefficients, std::int64_t rounds) {
  using namespace error_of_prefix_sums_file;
  const auto n = static_cast<std::size_t>(rounds);
  const auto c = coefficients.first(std::min(coefficients.size(), n));
  const std::optional<Weights> weights = settling_weights(c, n, nearly_settled);
  if (!weights) return {std::numeric_limits<double>::infinity(), Series(coefficients.size(), 0)};
  const Series& w = weights->first;
  const std::size_t length = w.size();
  Series inverse_of_c = w;
  for (std::size_t j = length; j-- > 1;) inverse_of_c[j] -= inverse_of_c[j - 1];
  const Series v = product(w, inverse_of_c, length);
  Series weighted(length);
  for (std::size_t j = 0; j < length; ++j) weighted[j] = static_cast<double>(n - j) * w[j];
  Series gradient = correlation(weighted, v, c.size());
  const double tail = rounds_after(n, length) * weights->later * weights->later * weights->later;
  for (double& g : gradient) g = -2 * (g + tail) / static_cast<double>(n);
  gradient.resize(coefficients.size(), 0);
  return {error_of(*weights, n).mean_squared, std::move(gradient)};
}

}  // namespace matrix_design

PrefixSumError prefix_sum_error(std::span<const double> coefficients, std::int64_t rounds) {
  using namespace matrix_design::error_of_prefix_sums_file;
  check(coefficients, rounds);
  const auto n = static_cast<std::size_t>(rounds);
  auto c = coefficients.first(std::min(coefficients.size(), n));
  while (c.size() > 1 && c.back() == 0) c = c.first(c.size() - 1);
  const PrefixSumError error = error_of(c, n);
  if (std::isfinite(error.mean_squared) && std::isfinite(error.largest_squared)) return error;
  throw Unsupported("coefficients", "the error of the prefix sums overflows, because C^-1 grows without bound",
                    "use coefficients that are not negative and do not rise");
}

}  // namespace renyi
