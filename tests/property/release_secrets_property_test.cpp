// No error of a release repeats anything that is a value, or may be one in the wrong place: all damaged texts of
// support/release_mutations.h.
#include <gtest/gtest.h>

#include <exception>
#include <string>

#include "renyi/error.h"
#include "renyi/release.h"
#include "support/release_mutations.h"

namespace renyi::release_secrets_property_test {
namespace {

using Reader = release::Request (*)(std::string_view);

void expect_silence(Reader read, const std::string& text) {
  try {
    release::Request request = read(text);
    if (read == release::read_csv) request.terms.budget.rho = 0.5;
    (void)release::design(request.terms, release::relation_of(request.terms));
  } catch (const std::exception& error) {
    ASSERT_EQ(test::secret_in(error.what()), "") << error.what() << "\n" << text;
  }
}

TEST(ReleaseSecrets, NoErrorRepeatsAValue) {
  test::for_each_mutation(test::json_release, test::json_separators,
                          [](const std::string& text) { expect_silence(release::read_json, text); });
  test::for_each_mutation(test::csv_release, test::csv_separators,
                          [](const std::string& text) { expect_silence(release::read_csv, text); });
}

}  // namespace
}  // namespace renyi::release_secrets_property_test
