// What a release publishes: coverage of the intervals, whole numbers, post-processing, the document.
#include "renyi/release.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "release/draw.h"
#include "renyi/accuracy.h"
#include "renyi/error.h"

namespace renyi::release_test {
namespace {

using release::Design;
using release::Document;
using release::Request;
using release::Statistic;
using Reals = std::vector<double>;
using Wholes = std::vector<std::int64_t>;

// Twelve monthly counts, in each of which a person may be, and three histograms.
Request monthly_report() {
  Request request;
  request.terms.budget = {.epsilon = 1, .delta = 1e-6};
  for (int month = 1; month <= 12; ++month) {
    request.terms.statistics.push_back({.name = "visits in month " + std::to_string(month),
                                        .is_integer = true,
                                        .bounds = {.max_records = 1, .max_per_record = 1}});
    request.values.emplace_back(Wholes{1000 + 17 * month});
  }
  const auto histogram = [&](const char* name, std::size_t bins, release::ContributionBounds bounds, bool is_integer) {
    Statistic statistic{.name = name, .is_integer = is_integer, .bounds = bounds};
    for (std::size_t i = 0; i < bins; ++i) statistic.bins.push_back(std::to_string(i));
    request.terms.statistics.push_back(statistic);
    if (is_integer) {
      request.values.emplace_back(Wholes(bins, 250));
    } else {
      request.values.emplace_back(Reals(bins, 98.5));
    }
  };
  histogram("age", 5, {.max_bins = 1, .max_per_bin = 1}, true);
  histogram("department", 8, {.max_bins = 3, .max_per_bin = 1}, true);
  histogram("hours", 6, {.l2_sensitivity = 2}, false);
  return request;
}

double truth(const release::Values& values, std::size_t i) {
  const auto* wholes = std::get_if<Wholes>(&values);
  return wholes != nullptr ? static_cast<double>((*wholes)[i]) : std::get<Reals>(values)[i];
}

double as_double(const release::Number& number) {
  return std::visit([](auto value) { return static_cast<double>(value); }, number);
}

// The probability that the noise is within the half-width: 0.95, or more where only whole numbers are possible.
double coverage(const release::StatisticNoise& noise) {
  Plan one;
  if (noise.mechanism == "discrete-gaussian") {
    one.add(DiscreteGaussian{.stddev = noise.size, .sensitivity = 1});
  } else {
    one.add(Gaussian{.stddev = noise.size});
  }
  return 1 - accuracy(one, {.bounds = {noise.half_width}}).probabilities[0].probability.upper;
}

TEST(Release, IntervalsCoverAsTheySay) {
  constexpr int releases = 2000;
  for (const release::Division division : release::all_divisions) {
    Request request = monthly_report();
    request.terms.division = division;
    const Design design = release::design(request.terms, {});
    std::vector<int> covered(design.noise.size(), 0);
    const int rounds = division == release::Division::min_variance ? releases : releases / 10;
    for (int i = 0; i < rounds; ++i) {
      const release::Drawn drawn = draw(request, design);
      for (std::size_t j = 0; j < design.noise.size(); ++j) {
        for (std::size_t k = 0; k < drawn.statistics[j].numbers.size(); ++k) {
          const release::PublishedNumber& number = drawn.statistics[j].numbers[k];
          const double value = truth(request.values[j], k);
          covered[j] += as_double(number.lower) <= value && value <= as_double(number.upper) ? 1 : 0;
        }
      }
    }
    for (std::size_t j = 0; j < design.noise.size(); ++j) {
      const double expected = coverage(design.noise[j]);
      EXPECT_GE(expected, 0.95 - 1e-6);
      EXPECT_LE(expected, 0.97);
      const double draws = rounds * static_cast<double>(request.terms.statistics[j].size());
      const double deviation = std::sqrt(expected * (1 - expected) / draws);
      EXPECT_NEAR(covered[j] / draws, expected, 5 * deviation) << request.terms.statistics[j].name;
      // Basic composition would have needed several times the noise.
      ASSERT_TRUE(design.noise[j].equal_split_error);
      EXPECT_GT(*design.noise[j].equal_split_error, 2 * design.noise[j].standard_error);
    }
  }
}

TEST(Release, TheDocumentIsReadBack) {
  const Request request = monthly_report();
  const std::string text = release::run_uncounted(request);
  const Document document = release::read_document(text);
  const Design design = release::design(request.terms, {});
  EXPECT_EQ(document.plan, design.plan);
  EXPECT_EQ(document.epsilon, design.epsilon);
  EXPECT_EQ(document.delta, 1e-6);
  EXPECT_FALSE(document.payment);
  ASSERT_EQ(document.statistics.size(), 15U);
  for (std::size_t i = 0; i < document.statistics.size(); ++i) {
    const release::PublishedStatistic& statistic = document.statistics[i];
    EXPECT_EQ(statistic.name, request.terms.statistics[i].name);
    EXPECT_EQ(statistic.size, design.noise[i].size);
    ASSERT_EQ(statistic.numbers.size(), request.terms.statistics[i].size());
    const bool is_integer = request.terms.statistics[i].is_integer;
    for (const release::PublishedNumber& number : statistic.numbers) {
      EXPECT_EQ(std::holds_alternative<std::int64_t>(number.value), is_integer);
      EXPECT_NEAR(as_double(number.upper) - as_double(number.value), design.noise[i].half_width, 1e-6);
    }
  }
  EXPECT_NE(text, release::run_uncounted(request));
}

TEST(Release, PostProcessingIsDoneAndSaid) {
  Request request;
  request.terms.statistics = {{.name = "whole",
                               .is_integer = true,
                               .bounds = {.l1_sensitivity = 1},
                               .lowest = 0,
                               .highest = 5000,
                               .round_to = 25},
                              {.name = "real", .bounds = {.l1_sensitivity = 1}, .highest = 3.5, .round_to = 0.5}};
  for (Statistic& statistic : request.terms.statistics) statistic.noise = {.mechanism = "laplace", .size = 40};
  request.values = {Wholes{3}, Reals{3.25}};
  for (int i = 0; i < 100; ++i) {
    const Document document = release::read_document(release::run_uncounted(request));
    EXPECT_EQ(document.statistics[0].post_processing.size(), 2U);
    const release::PublishedNumber& whole = document.statistics[0].numbers[0];
    for (const release::Number& number : {whole.value, whole.lower, whole.upper}) {
      const auto value = std::get<std::int64_t>(number);
      EXPECT_EQ(value % 25, 0);
      EXPECT_GE(value, 0);
      EXPECT_LE(value, 5000);
    }
    const release::PublishedNumber& real = document.statistics[1].numbers[0];
    EXPECT_LE(std::get<double>(real.value), 3.5);
    EXPECT_EQ(std::get<double>(real.lower), std::floor(std::get<double>(real.lower) * 2) / 2);
    EXPECT_LE(std::get<double>(real.lower), std::get<double>(real.value));
    EXPECT_LE(std::get<double>(real.value), std::get<double>(real.upper));
  }
}

TEST(Release, ExtremeValuesAreNoErrors) {
  using Whole = std::numeric_limits<std::int64_t>;
  constexpr double infinity = std::numeric_limits<double>::infinity();
  Request request;
  request.terms.budget = {.epsilon = 0.1, .delta = 1e-9};
  Statistic whole{.name = "whole", .bins = {"a", "b"}, .is_integer = true, .bounds = {.max_bins = 1, .max_per_bin = 1}};
  Statistic rounded = whole, real = whole;
  rounded.name = "rounded";
  rounded.bounds = {.l2_sensitivity = 1};
  real.name = "real";
  real.is_integer = false;
  whole.round_to = 1000;
  request.terms.statistics = {whole, rounded, real};
  request.values = {Wholes{Whole::min(), Whole::max()}, Wholes{Whole::min(), Whole::max()},
                    Reals{std::nan(""), -infinity}};
  const Document document = release::read_document(release::run_uncounted(request));
  EXPECT_NEAR(as_double(document.statistics[2].numbers[0].value), 0, 1e4);
  for (const auto& statistic : document.statistics) {
    for (const auto& number : statistic.numbers) EXPECT_LE(as_double(number.lower), as_double(number.upper));
  }
}

// All that a document says beside the numbers that were drawn.
std::string without_results(Request request, double value) {
  for (release::Values& each : request.values) {
    for (double& one : std::get<Reals>(each)) one = value;
  }
  std::string text = release::run_uncounted(request), kept;
  for (std::size_t from = 0; from < text.size();) {
    const std::size_t start = std::min(text.find("\"value\":", from), text.size());
    kept += text.substr(from, start - from);
    from = std::min(text.find(']', start), text.size());
  }
  return kept;
}

TEST(Release, SaysTheRangeAndNeverWhetherAValueWasBeyondIt) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  Request request;
  request.terms.budget = {.epsilon = 1, .delta = 1e-6};
  const release::ContributionBounds moves{.max_bins = 1, .max_per_bin = 1}, norm{.l2_sensitivity = 10};
  request.terms.statistics = {
      {.name = "discrete", .bins = {"a", "b"}, .is_integer = true, .bounds = moves},
      {.name = "whole", .is_integer = true, .bounds = norm, .expected_lowest = 0, .expected_highest = 1e16},
      {.name = "real", .bounds = norm},
      {.name = "wide", .bounds = norm, .expected_lowest = -1e15, .expected_highest = 1e15}};
  request.values = {Reals(2), Reals(1), Reals(1), Reals(1)};
  const std::string usual = without_results(request, 0);
  EXPECT_NE(usual.find("\"beyond_range\":\"Values beyond the range"), std::string::npos) << usual;
  for (const double value : {1e15, -1e300, infinity, std::nan("")}) EXPECT_EQ(without_results(request, value), usual);
}

// What is stated is what is used: a value beyond an end is published as one at the end, and one within is not.
TEST(Release, ValuesEndAtTheRangeThatIsStated) {
  for (const bool is_integer : {false, true}) {
    for (const std::optional<double> expected : {std::optional<double>(), std::optional(1e16)}) {
      Request request;
      request.terms.statistics = {{.name = "a", .bins = {"in", "at", "low"}, .is_integer = is_integer}};
      Statistic& statistic = request.terms.statistics[0];
      statistic.bounds.l1_sensitivity = 1;
      statistic.noise = {.mechanism = "laplace", .size = 20};
      if (expected) statistic.expected_lowest = 0, statistic.expected_highest = expected;
      const release::Range range = release::design(request.terms, {}).noise[0].range;
      const double end = as_double(range.upper);
      EXPECT_EQ(as_double(range.lower), -end);
      EXPECT_GE(end, expected.value_or(0));
      request.values = {Reals{end - 4096, 16 * end, -1e300}};
      const Document document = release::read_document(release::run_uncounted(request));
      const release::PublishedStatistic& published = document.statistics[0];
      EXPECT_EQ(published.range, range);
      EXPECT_NEAR(as_double(published.numbers[0].value) - end, -4096, 1000);
      EXPECT_LE(published.numbers[1].value, range.upper);
      EXPECT_NEAR(as_double(published.numbers[1].value) - end, 0, 1000);
      EXPECT_NEAR(as_double(published.numbers[2].value) + end, 0, 1000);
    }
  }
}

// Values that are 0.02 apart may not be told apart by noise that is meant for a move of 0.02: rounded before the noise,
// they would be 1 apart.
TEST(Release, IntegersAreRoundedAfterContinuousNoise) {
  const auto mean = [](const char* value) {
    const std::string text = std::string("name,value,integer,l1_sensitivity\na,") + value + ",true,0.02\n";
    Request request = release::read_csv(text);
    request.terms.budget = {.epsilon = 1, .delta = 0};
    double sum = 0;
    constexpr int runs = 2000;
    for (int i = 0; i < runs; ++i) {
      sum += as_double(release::read_document(release::run_uncounted(request)).statistics[0].numbers[0].value);
    }
    return sum / runs;
  };
  // The exact means are exp(-0.5)/2 and 1 - exp(-0.5)/2.
  EXPECT_NEAR(mean("0.49"), 0.3033, 0.05);
  EXPECT_NEAR(mean("0.51"), 0.6967, 0.05);
}

// The centres of noise on numbers beyond 2^53, whatever stands in the other bins.
TEST(Release, AValueIsRoundedByItself) {
  constexpr std::int64_t large = (std::int64_t{1} << 62) + 500;
  const auto mean = [](const std::string& csv, const release::TotalBudget& budget) {
    Request request = release::read_csv(csv);
    request.terms.budget = budget;
    const Design design = release::design(request.terms, {});
    double sum = 0;
    constexpr int runs = 400;
    for (int i = 0; i < runs; ++i) {
      const auto value = std::get<std::int64_t>(draw(request, design).statistics[0].numbers[0].value);
      sum += static_cast<double>(value - large);
    }
    return sum / runs;
  };
  // The noise has a standard deviation of 4.23, and the mean one of 0.21.
  const std::string histogram =
      "name,value,histogram,integer,max_bins,max_per_bin\nA,4611686018427388404,h,true,1,1\nB,";
  for (const std::string other : {"1", "0.5", "1/3", "1e999"}) {
    EXPECT_NEAR(mean(histogram + other + ",h,,,\n", {.epsilon = 1, .delta = 1e-6}), 0, 1.5) << other;
  }
  const std::string number = "name,value,integer,l2_sensitivity\nA,4611686018427388404";
  EXPECT_NEAR(mean(number + ",true,1\n", {.rho = 0.84}), 0, 0.3);
  EXPECT_NEAR(mean(number + ".4,true,1\n", {.rho = 0.84}), 0, 0.3);
  EXPECT_NEAR(mean(number + ".5,true,1\n", {.rho = 0.84}), 1, 0.3);
}

TEST(Release, TypesOfValuesAreChecked) {
  Request request = monthly_report();
  request.values.back() = Wholes(6, 1);
  EXPECT_THROW((void)release::run_uncounted(request), InvalidArgument);
  request = monthly_report();
  request.values[0] = Wholes{1, 2};
  EXPECT_THROW((void)release::run_uncounted(request), InvalidArgument);
  request.values.pop_back();
  EXPECT_THROW((void)release::run_uncounted(request), InvalidArgument);
}

}  // namespace
}  // namespace renyi::release_test
