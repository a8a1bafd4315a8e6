// Secrets are compared whole, and by libcrypto's comparison in constant time only.
#include "digest/secret.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <regex>
#include <string>

#include "digest/sha256.h"

namespace renyi::test::secret_test {
namespace {

namespace fs = std::filesystem;

TEST(Secret, IsComparedWhole) {
  EXPECT_TRUE(digest::is_same_secret("abc", "abc"));
  for (const char* other : {"abd", "xbc", "ab", "abcd", ""}) EXPECT_FALSE(digest::is_same_secret("abc", other));
}

TEST(Secret, HasTheDigestOfTheStandard) {
  EXPECT_EQ(digest::sha256("abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
}

// A comparison of strings ends at the first byte that differs, so that its time tells a guesser how far a guess is
// right.
TEST(Secret, IsNeverComparedByAnOperator) {
  const std::regex compared(R"(\bsecret(_sha256)?\b\s*[!=]=|[!=]=\s*([\w.>-]*\bsecret(_sha256)?\b))");
  int files = 0;
  for (const char* room : {"ledger", "release", "apps"}) {
    for (const auto& entry : fs::recursive_directory_iterator(fs::path(RENYI_SOURCE_DIR) / room)) {
      if (entry.path().extension() != ".cpp" && entry.path().extension() != ".h") continue;
      ++files;
      std::ifstream stream(entry.path());
      const std::string text{std::istreambuf_iterator<char>(stream), {}};
      EXPECT_FALSE(std::regex_search(text, compared)) << entry.path();
    }
  }
  EXPECT_GT(files, 100);
}

}  // namespace
}  // namespace renyi::test::secret_test
