#include "release/draw.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>
#include <utility>

#include "renyi/error.h"
#include "renyi/noise.h"

namespace renyi::release {
namespace draw_file {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
using Whole = std::numeric_limits<std::int64_t>;

bool is_gaussian(const StatisticNoise& noise) { return noise.mechanism.ends_with("gaussian"); }

using noise::ExactNumber;

// Values as they were given, none of them rounded.
std::vector<ExactNumber> exact(const Values& values) {
  if (const auto* numbers = std::get_if<std::vector<ExactNumber>>(&values)) return *numbers;
  std::vector<ExactNumber> numbers;
  if (const auto* wholes = std::get_if<std::vector<std::int64_t>>(&values)) {
    for (const std::int64_t whole : *wholes) numbers.emplace_back(whole);
  } else {
    for (const double real : std::get<std::vector<double>>(values)) numbers.emplace_back(real);
  }
  return numbers;
}

// Real numbers, and whole ones where the grid has the distance 1: what is rounded is the value with its noise, because
// a rounded value may move further than the value does.
noise::Release add_continuous(const StatisticNoise& law, const std::vector<ExactNumber>& values,
                              std::vector<double>& out) {
  // The range that is stated, and no other.
  const double range = std::visit([](auto end) { return static_cast<double>(end); }, law.range.upper);
  const noise::OnGrid options{.grid = law.grid, .range = range};
  return is_gaussian(law) ? noise::gaussian(values, out, law.size, options)
                          : noise::laplace(values, out, law.size, options);
}

// Each value is rounded by itself, whatever the others are: those that are at most a whole number apart stay so.
noise::Release add_discrete(const StatisticNoise& law, const std::vector<ExactNumber>& values,
                            std::vector<std::int64_t>& out) {
  std::transform(values.begin(), values.end(), out.begin(), noise::nearest_whole);
  return is_gaussian(law) ? noise::discrete_gaussian(out, out, law.size, law.sensitivity.each)
                          : noise::discrete_laplace(out, out, law.size, law.sensitivity.each);
}

// Sums and products of whole numbers end at the largest ones.
std::int64_t plus(std::int64_t a, std::int64_t b) {
  std::int64_t sum = 0;
  if (__builtin_add_overflow(a, b, &sum)) return b > 0 ? Whole::max() : Whole::min();
  return sum;
}
std::int64_t times(std::int64_t a, std::int64_t b) {
  std::int64_t product = 0;
  if (__builtin_mul_overflow(a, b, &product)) return a > 0 ? Whole::max() : Whole::min();
  return product;
}
std::int64_t floor_multiple(std::int64_t value, std::int64_t step) {
  return times(value / step - (value % step < 0 ? 1 : 0), step);
}
std::int64_t ceil_multiple(std::int64_t value, std::int64_t step) {
  return times(value / step + (value % step > 0 ? 1 : 0), step);
}

// A number with its interval.
template <class Scalar>
struct Estimate {
  Scalar value{};
  Scalar lower{};
  Scalar upper{};
};

Estimate<double> estimate_of(double value, const StatisticNoise& law) {
  return {value, std::nextafter(value - law.half_width, -infinity), std::nextafter(value + law.half_width, infinity)};
}

Estimate<std::int64_t> estimate_of(std::int64_t value, const StatisticNoise& law) {
  const auto half = static_cast<std::int64_t>(std::ceil(std::min(law.half_width, 0x1p62)));
  return {value, plus(value, -half), plus(value, half)};
}

// The interval is rounded outwards, so that it covers what it covered.
void round_to(Estimate<double>& estimate, double step) {
  // Doubles this large are multiples of the step, as far as they can be told from others.
  const auto is_fine = [step](double x) { return !(std::abs(x / step) < 0x1p52); };
  if (!is_fine(estimate.value)) estimate.value = std::floor(estimate.value / step + 0.5) * step;
  if (!is_fine(estimate.lower)) estimate.lower = std::floor(estimate.lower / step) * step;
  if (!is_fine(estimate.upper)) estimate.upper = std::ceil(estimate.upper / step) * step;
}

void round_to(Estimate<std::int64_t>& estimate, double whole_step) {
  const auto step = static_cast<std::int64_t>(whole_step);
  estimate = {floor_multiple(plus(estimate.value, step / 2), step), floor_multiple(estimate.lower, step),
              ceil_multiple(estimate.upper, step)};
}

template <class Scalar>
void post_process(Estimate<Scalar>& estimate, const Statistic& statistic) {
  if (statistic.round_to) round_to(estimate, *statistic.round_to);
  for (Scalar* each : {&estimate.value, &estimate.lower, &estimate.upper}) {
    if (statistic.lowest) *each = std::max(*each, static_cast<Scalar>(*statistic.lowest));
    if (statistic.highest) *each = std::min(*each, static_cast<Scalar>(*statistic.highest));
  }
}

std::vector<std::string> post_processing_of(const Statistic& statistic) {
  std::vector<std::string> done;
  if (statistic.round_to) {
    done.push_back(fmt::format("rounded to multiples of {}, the interval outwards", *statistic.round_to));
  }
  if (!statistic.lowest && !statistic.highest) return done;
  const std::string lowest = statistic.lowest ? fmt::format("{}", *statistic.lowest) : "-inf";
  const std::string highest = statistic.highest ? fmt::format("{}", *statistic.highest) : "inf";
  done.push_back(
      fmt::format("clamped to [{}, {}], the interval too: it covers as before if the value without noise is "
                  "in this range",
                  lowest, highest));
  return done;
}

template <class Scalar>
void publish_noisy(const Statistic& statistic, const StatisticNoise& law, const std::vector<Scalar>& values,
                   PublishedStatistic& published) {
  for (std::size_t i = 0; i < values.size(); ++i) {
    Estimate<Scalar> estimate = estimate_of(values[i], law);
    post_process(estimate, statistic);
    published.numbers.push_back({.bin = statistic.bins.empty() ? "" : statistic.bins[i],
                                 .value = estimate.value,
                                 .lower = estimate.lower,
                                 .upper = estimate.upper});
  }
}

double publish(const Statistic& statistic, const StatisticNoise& law, const std::vector<ExactNumber>& values,
               PublishedStatistic& published) {
  noise::Release release;
  std::vector<double> reals(values.size());
  std::vector<std::int64_t> wholes(values.size());
  if (law.grid == 0) {
    release = add_discrete(law, values, wholes);
  } else {
    release = add_continuous(law, values, reals);
    // On a grid of whole numbers the results are whole, and within 2^62.
    if (statistic.is_integer) {
      std::transform(reals.begin(), reals.end(), wholes.begin(), [](double x) { return static_cast<std::int64_t>(x); });
    }
  }
  if (statistic.is_integer) {
    publish_noisy(statistic, law, wholes, published);
  } else {
    publish_noisy(statistic, law, reals, published);
  }
  return release.timing_delta;
}

}  // namespace
}  // namespace draw_file

void check_values(const Request& request) {
  const std::vector<Statistic>& statistics = request.terms.statistics;
  if (request.values.size() != statistics.size()) {
    throw InvalidArgument("values", fmt::format("those of {} statistics", request.values.size()),
                          fmt::format("those of {}", statistics.size()));
  }
  for (std::size_t i = 0; i < statistics.size(); ++i) {
    const bool is_whole = std::holds_alternative<std::vector<std::int64_t>>(request.values[i]);
    const std::size_t size = std::visit([](const auto& values) { return values.size(); }, request.values[i]);
    if ((!is_whole || statistics[i].is_integer) && size == statistics[i].size()) continue;
    throw InvalidArgument(
        fmt::format("values[{}]", i), fmt::format("{} {}", size, is_whole ? "whole numbers" : "numbers"),
        fmt::format("{} {}", statistics[i].size(), statistics[i].is_integer ? "whole numbers" : "numbers"));
  }
}

Drawn draw(const Request& request, const Design& design) {
  namespace file = draw_file;
  Drawn drawn;
  for (std::size_t i = 0; i < design.noise.size(); ++i) {
    const Statistic& statistic = request.terms.statistics[i];
    const StatisticNoise& law = design.noise[i];
    PublishedStatistic published{.name = statistic.name,
                                 .mechanism = law.mechanism,
                                 .size = law.size,
                                 .range = law.range,
                                 .standard_error = law.standard_error,
                                 .equal_split_error = law.equal_split_error,
                                 .post_processing = file::post_processing_of(statistic)};
    try {
      drawn.timing_delta += file::publish(statistic, law, file::exact(request.values[i]), published);
    } catch (const InvalidArgument&) {  // it would repeat the size, which may stand in the wrong place
      throw InvalidArgument(fmt::format("statistics[{}].mechanism", i), "noise that cannot be drawn",
                            "noise of another size");
    }
    drawn.statistics.push_back(std::move(published));
  }
  return drawn;
}

void rehearse(const Terms& terms, const Design& design) {
  Request request{.terms = terms};
  for (const Statistic& statistic : terms.statistics) {
    request.values.emplace_back(std::vector<noise::ExactNumber>(statistic.size()));
  }
  (void)draw(request, design);
}

}  // namespace renyi::release
