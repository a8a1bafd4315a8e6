#include "renyi/extras/parameter.h"

#include <gtest/gtest.h>

#include <array>
#include <limits>

#include "renyi/error.h"

namespace renyi::parameter_test {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr std::array<Parameter, 2> order_and_bound{{
    {.name = "order", .meaning = "", .lowest = 1, .highest = infinity, .lowest_allowed = false},
    {.name = "rdp", .meaning = "", .lowest = 0, .highest = 1e50},
}};

// The path of the refusal, or "accepted".
std::string refusal(const TableParameter& table, const Rows& rows) {
  try {
    table.check(rows);
  } catch (const InvalidArgument& error) {
    return error.path();
  }
  return "accepted";
}

TEST(TableParameter, NamesTheNumberThatIsOutOfRange) {
  const TableParameter points{.name = "points", .meaning = "", .columns = order_and_bound};
  EXPECT_EQ(refusal(points, {{2, 0.1}, {infinity, 3}}), "accepted");
  EXPECT_EQ(refusal(points, {{2, 0.1}, {3, -1}}), "points[1][1]");
  EXPECT_EQ(refusal(points, {{1, 0.1}}), "points[0][0]");
  EXPECT_EQ(refusal(points, {{2, std::numeric_limits<double>::quiet_NaN()}}), "points[0][1]");
  EXPECT_EQ(refusal(points, {{2, 0.1}, {3}}), "points[1]");
  EXPECT_EQ(refusal(points, {}), "points");
}

TEST(TableParameter, MayHaveRowsOfAnyLengthAsLongAsTheyAreEqual) {
  const TableParameter matrix{
      .name = "matrix", .meaning = "", .columns = std::span(order_and_bound).last(1), .any_width = true};
  EXPECT_EQ(refusal(matrix, {{1, 2, 3}, {4, 5, 6}}), "accepted");
  EXPECT_EQ(refusal(matrix, {{1, 2, 3}, {4, 5}}), "matrix[1]");
  EXPECT_EQ(refusal(matrix, {{1, 2, 3}, {4, 5, -6}}), "matrix[1][2]");
  EXPECT_EQ(refusal(matrix, {{}}), "matrix");
}

TEST(TableParameter, OfOneColumnIsAListAndMayBeLeftOutWhereItSaysSo) {
  const TableParameter list{
      .name = "list", .meaning = "", .columns = std::span(order_and_bound).last(1), .may_be_empty = true};
  EXPECT_EQ(refusal(list, {}), "accepted");
  EXPECT_EQ(refusal(list, {{1}, {-2}}), "list[1]");
  EXPECT_EQ(refusal(list, Rows(most_numbers_in_a_table + 1, {1})), "list");
}

}  // namespace
}  // namespace renyi::parameter_test
