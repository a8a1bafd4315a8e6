// No error of a release repeats anything that is a value, or may be one in the wrong place. A part of the damaged
// texts; tests/property/release_secrets_property_test.cpp reads all of them.
#include <gtest/gtest.h>

#include <cstddef>
#include <exception>
#include <string>

#include "renyi/error.h"
#include "renyi/release.h"
#include "support/release_mutations.h"

namespace renyi::secrets_test {
namespace {

using test::secret_in;

std::string error_of(release::Request (*read)(std::string_view), const std::string& text) {
  try {
    release::Request request = read(text);
    if (read == release::read_csv) request.terms.budget.rho = 0.5;
    (void)release::design(request.terms, release::relation_of(request.terms));
  } catch (const std::exception& error) {
    return error.what();
  }
  return "";
}

void expect_silence(release::Request (*read)(std::string_view), const std::string& text, std::string_view separators,
                    std::size_t every) {
  ASSERT_EQ(error_of(read, text), "");
  std::size_t seen = 0, refused = 0;
  test::for_each_mutation(text, separators, [&](const std::string& damaged) {
    if (seen++ % every != 0) return;
    const std::string error = error_of(read, damaged);
    refused += error.empty() ? 0 : 1;
    ASSERT_EQ(secret_in(error), "") << error << "\n" << damaged;
  });
  EXPECT_GT(refused, seen / every / 4);
}

TEST(ReleaseSecrets, NoErrorRepeatsAValue) {
  expect_silence(release::read_json, test::json_release, test::json_separators, 41);
  expect_silence(release::read_csv, test::csv_release, test::csv_separators, 13);
}

TEST(ReleaseSecrets, PlacesAreNamedByPathAndNotByByte) {
  const std::string start = R"({"renyi-release":1,"statistics":[{"name":"a","l2_sensitivity":1,)";
  for (const std::string value : {R"("value":8093617)", R"("value":08093617})", R"("value":8093617abc})"}) {
    const std::string error = error_of(release::read_json, start + value);
    EXPECT_TRUE(error.starts_with("statistics[0].value: ")) << error;
    EXPECT_EQ(error.find("byte"), std::string::npos) << error;
  }
  EXPECT_TRUE(
      error_of(release::read_json, start + R"("8093617":1}]})").starts_with("statistics[0]: got an unknown key"));
}

}  // namespace
}  // namespace renyi::secrets_test
