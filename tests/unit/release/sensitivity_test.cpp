// Sensitivities that follow from contribution bounds, against all contributions that the bounds allow.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <functional>
#include <string>
#include <vector>

#include "renyi/error.h"
#include "renyi/release.h"

namespace renyi::sensitivity_test {
namespace {

using release::Sensitivity;
using release::Statistic;
using Vector = std::vector<int>;

constexpr Adjacency add_or_remove{Neighbors::add_or_remove_one, 1};
constexpr Adjacency replace{Neighbors::replace_one, 1};

// Calls `visit` with every vector of entries from `lowest` to `highest`.
void for_all(std::size_t size, int lowest, int highest, const std::function<void(const Vector&)>& visit) {
  Vector entries(size, lowest);
  while (true) {
    visit(entries);
    std::size_t i = 0;
    while (i < size && entries[i] == highest) entries[i++] = lowest;
    if (i == size) return;
    ++entries[i];
  }
}

// What one person may add to the values.
std::vector<Vector> contributions(std::size_t size, int lowest, int each,
                                  const std::function<bool(const Vector&)>& may) {
  std::vector<Vector> all;
  for_all(size, lowest, each, [&](const Vector& entries) {
    if (may(entries)) all.push_back(entries);
  });
  return all;
}

struct Largest {
  double l1 = 0;
  double l2 = 0;
  std::int64_t coordinates = 0;
  double each = 0;
};

Largest largest(const std::vector<Vector>& all, bool replaces) {
  const std::vector<Vector> nobody{Vector(all.front().size(), 0)};
  Largest found;
  for (const Vector& one : all) {
    for (const Vector& other : replaces ? all : nobody) {
      double sum = 0, squares = 0, most = 0;
      std::int64_t moved = 0;
      for (std::size_t i = 0; i < one.size(); ++i) {
        const double move = std::abs(one[i] - other[i]);
        sum += move;
        squares += move * move;
        moved += move > 0 ? 1 : 0;
        most = std::max(most, move);
      }
      found.l1 = std::max(found.l1, sum);
      found.l2 = std::max(found.l2, std::sqrt(squares));
      found.coordinates = std::max(found.coordinates, moved);
      found.each = std::max(found.each, most);
    }
  }
  return found;
}

Statistic histogram(std::size_t bins) {
  Statistic statistic{.name = "h", .is_integer = true};
  for (std::size_t i = 0; i < bins; ++i) statistic.bins.push_back("bin " + std::to_string(i));
  return statistic;
}

TEST(Sensitivity, OfBinsIsTheLargestOverAllContributions) {
  for (const std::size_t size : {2U, 3U, 4U}) {
    for (const int bins : {1, 2, 3}) {
      for (const bool nonnegative : {false, true}) {
        for (const bool replaces : {false, true}) {
          Statistic statistic = histogram(size);
          statistic.bounds = {.max_bins = bins, .max_per_bin = 2, .is_nonnegative = nonnegative};
          const auto all = contributions(size, nonnegative ? 0 : -2, 2, [&](const Vector& entries) {
            return std::count_if(entries.begin(), entries.end(), [](int entry) { return entry != 0; }) <= bins;
          });
          const Largest truth = largest(all, replaces);
          const Sensitivity found = sensitivity(statistic, replaces ? replace : add_or_remove);
          SCOPED_TRACE(testing::Message() << size << " bins, " << bins << " moved, " << nonnegative << replaces);
          EXPECT_GE(found.l1, truth.l1);
          EXPECT_GE(found.l2, truth.l2);
          EXPECT_NEAR(found.l1, truth.l1, 1e-12);
          EXPECT_NEAR(found.l2, truth.l2, 1e-12);
          if (found.coordinates == 0) continue;  // not known
          EXPECT_EQ(found.coordinates, truth.coordinates);
          EXPECT_EQ(found.each, truth.each);
        }
      }
    }
  }
}

TEST(Sensitivity, OfRecordsIsTheLargestOverAllContributions) {
  constexpr int records = 3, each = 1;
  for (const std::size_t size : {1U, 2U, 4U}) {
    for (const bool nonnegative : {false, true}) {
      for (const bool replaces : {false, true}) {
        Statistic statistic = size == 1 ? Statistic{.name = "n"} : histogram(size);
        statistic.bounds = {.max_records = records, .max_per_record = each, .is_nonnegative = nonnegative};
        const auto all = contributions(size, nonnegative ? 0 : -records, records, [&](const Vector& entries) {
          int sum = 0;
          for (const int entry : entries) sum += std::abs(entry);
          return sum <= records * each;
        });
        const Largest truth = largest(all, replaces);
        const Sensitivity found = sensitivity(statistic, replaces ? replace : add_or_remove);
        SCOPED_TRACE(testing::Message() << size << " numbers, " << nonnegative << replaces);
        EXPECT_NEAR(found.l1, truth.l1, 1e-12);
        EXPECT_NEAR(found.l2, truth.l2, 1e-12);
        EXPECT_GE(found.l2, truth.l2);
      }
    }
  }
}

// 15 times this decimal is more than 1, and 15 times the double that is nearest to it is less: rounded, such a number
// may move by 2.
TEST(Sensitivity, OfRecordsIsThatOfDecimals) {
  const auto found = [](std::int64_t records, double each) {
    const Statistic statistic{
        .name = "n", .is_integer = true, .bounds = {.max_records = records, .max_per_record = each}};
    return sensitivity(statistic, add_or_remove);
  };
  EXPECT_EQ(found(15, 0.06666666666666667).each, 2);
  EXPECT_EQ(found(15, 0.06666666666666667).l2, std::nextafter(1.0, 2.0));
  EXPECT_EQ(found(15, 0.06666666666666665).each, 1);
  EXPECT_EQ(found(30, 0.06666666666666667).each, 3);
  EXPECT_EQ(found(10, 0.3).each, 3);
  EXPECT_EQ(found(10, 0.3).l1, 3);
  EXPECT_EQ(found(3, 250000).each, 750000);
  EXPECT_EQ(found(std::int64_t{1} << 53, 1.1102230246251565e-16).each, 1);
  // The decimal that stands for 1/m is more than it for some m, and less for others.
  for (std::int64_t m = 2; m < 2000; ++m) {
    const double each = 1 / static_cast<double>(m);
    const std::string text = fmt::format("{}", each);
    const long double sum = static_cast<long double>(m) * std::strtold(text.c_str(), nullptr);
    EXPECT_GE(found(m, each).each, sum > 1 + 1e-18L ? 2 : 1) << m << " times " << text;
  }
}

TEST(Sensitivity, StatedNormsBoundEachOther) {
  Statistic statistic = histogram(9);
  statistic.bounds.l1_sensitivity = 5;
  EXPECT_EQ(sensitivity(statistic, replace).l2, 5);
  statistic.bounds = {.l2_sensitivity = 2};
  EXPECT_EQ(sensitivity(statistic, replace).l1, 6);
  EXPECT_EQ(sensitivity(statistic, replace).coordinates, 0);
  // What is smaller counts.
  statistic.bounds = {.l2_sensitivity = 10, .max_bins = 4, .max_per_bin = 1.5};
  EXPECT_EQ(sensitivity(statistic, add_or_remove).l2, 3);
  EXPECT_EQ(sensitivity(statistic, add_or_remove).l1, 6);
}

TEST(Sensitivity, HasToBeStated) {
  const auto refused = [](Statistic statistic, const std::string& path) {
    try {
      sensitivity(statistic, add_or_remove);
      ADD_FAILURE() << path;
    } catch (const InvalidArgument& error) {
      EXPECT_EQ(error.path(), path);
    }
  };
  Statistic number{.name = "n"};
  refused(number, "l2_sensitivity");
  number.bounds.l2_sensitivity = 0;
  refused(number, "l2_sensitivity");
  number.bounds = {.max_records = 2};
  refused(number, "max_per_record");
  number.bounds = {.max_bins = 2, .max_per_bin = 1};
  refused(number, "max_bins");
  Statistic bins = histogram(3);
  bins.bounds = {.max_per_bin = 1};
  refused(bins, "max_bins");
  bins.bounds = {.max_bins = 0, .max_per_bin = 1};
  refused(bins, "max_bins");
}

}  // namespace
}  // namespace renyi::sensitivity_test
