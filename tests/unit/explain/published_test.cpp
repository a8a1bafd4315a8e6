#include <fmt/format.h>
#include <gtest/gtest.h>

#include "renyi/explain.h"

namespace renyi {
namespace {

// Every digit as published, rounded to nearest.
TEST(ReferenceTable, HasThePublishedDigits) {
  const std::vector<std::string> expected{"0.00044 0.94751", "0.419 0.586",       "0.449 0.556",
                                          "9.05e-34 0.5385", "0.00042 0.00218",   "0.00084 0.00118",
                                          "9.05e-67 0.2874", "1.95e-07 4.36e-06", "7.87e-07 1.27e-06"};
  const std::vector<std::string> formats{"{:.5f} {:.5f}", "{:.3f} {:.3f}", "{:.3f} {:.3f}",
                                         "{:.2e} {:.4f}", "{:.5f} {:.5f}", "{:.5f} {:.5f}",
                                         "{:.2e} {:.4f}", "{:.2e} {:.2e}", "{:.2e} {:.2e}"};
  const auto rows = reference_table();
  ASSERT_EQ(rows.size(), expected.size());
  for (std::size_t i = 0; i < rows.size(); ++i) {
    EXPECT_EQ(fmt::format(fmt::runtime(formats[i]), rows[i].range.lower, rows[i].range.upper), expected[i]);
  }
}

TEST(StandingProperties, NameTheirSource) {
  ASSERT_EQ(standing_properties().size(), 2U);
  for (const Property& property : standing_properties()) {
    EXPECT_FALSE(property.statement.empty());
    EXPECT_NE(property.source.find("20"), std::string_view::npos);
  }
}

}  // namespace
}  // namespace renyi
