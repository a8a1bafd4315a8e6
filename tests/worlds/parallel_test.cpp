// Parts of the data that have no record in common, each with mechanisms of its own.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "renyi/error.h"
#include "worlds/judge.h"

namespace renyi::worlds::parallel_test {
namespace {

// A record's own value says which part it belongs to.
Dataset part(const Dataset& data, bool ones) {
  Dataset result;
  for (const Record r : data) {
    if ((r == 1) == ones) result.push_back(r);
  }
  return result;
}

const Mechanism first = response("contains -1", 0.75, 2, contains(-1));
const Mechanism second = response("sum mod 2", 0.7, 2, sum_modulo(2));

Law output(const Dataset& data) {
  const Law once = output_of(part(data, false), poisson(0.4), first);
  return both(both(once, once), output_of(part(data, true), everyone(), second));
}

std::string plan(Neighbors relation) {
  return plan_text(relation, fmt::format(R"({{"parallel":[[{}],[{}]]}})", step_text(poisson(0.4), first, 2),
                                         step_text(everyone(), second)));
}

TEST(ParallelWorlds, TheLargestPartCounts) {
  for (const Neighbors relation : {Neighbors::add_or_remove_one, Neighbors::zero_out}) {
    const Nearness found = expect_dominated(neighbours(4, relation), relation, output, plan(relation));
    for (const long double ratio : found.rdp) EXPECT_GT(ratio, 1 - 1e-9L);
  }
}

// The other record may belong to the other part: two parts change.
TEST(ParallelWorlds, AReplacedRecordMayChangeItsPart) {
  try {
    claims(plan(Neighbors::replace_one));
  } catch (const Unsupported&) {
    return;  // refused: nothing is claimed
  }
  expect_dominated(neighbours(4, Neighbors::replace_one), Neighbors::replace_one, output, plan(Neighbors::replace_one));
}

}  // namespace
}  // namespace renyi::worlds::parallel_test
