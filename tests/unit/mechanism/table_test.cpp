#include <gtest/gtest.h>

#include "renyi/error.h"
#include "renyi/mechanism.h"

namespace renyi::table_test {
namespace {

std::string refused_field(std::string_view kind, std::initializer_list<NamedNumber> numbers) {
  try {
    static_cast<void>(make_mechanism(kind, numbers));
  } catch (const InvalidArgument& error) {
    return error.path();
  }
  return "accepted";
}

TEST(MakeMechanism, IsTheTypeOfThatKind) {
  EXPECT_EQ(make_mechanism("laplace", {{"scale", 3}}), Mechanism(Laplace{3, 1}));
  EXPECT_EQ(make_mechanism("gaussian", {{"l2_sensitivity", 2}, {"stddev", 5}}), Mechanism(Gaussian{5, 2}));
  EXPECT_EQ(make_mechanism("gaussian", {{"noise_multiplier", 5}}), Mechanism(Gaussian{5, 1}));
}

TEST(MakeMechanism, NamesWhatIsUnknownMissingOrOutOfRange) {
  EXPECT_EQ(refused_field("laplce", {{"scale", 3}}), "mechanism");
  EXPECT_EQ(refused_field("laplace", {}), "scale");
  EXPECT_EQ(refused_field("laplace", {{"scale", -3}}), "scale");
  EXPECT_EQ(refused_field("laplace", {{"scale", 3}, {"stddev", 1}}), "stddev");
  EXPECT_EQ(refused_field("gaussian", {{"noise_multiplier", 1}, {"l2_sensitivity", 2}}), "l2_sensitivity");
  EXPECT_EQ(refused_field("gaussian", {{"stddev", 1}, {"noise_multiplier", 2}}), "noise_multiplier");
  EXPECT_EQ(refused_field("laplace", {{"scale", 3}, {"scale", 3}}), "scale");
  EXPECT_THROW(static_cast<void>(make_mechanism("laplace", {{"scale", 3}}, {{"points", {{1}}}})), InvalidArgument);
}

}  // namespace
}  // namespace renyi::table_test
