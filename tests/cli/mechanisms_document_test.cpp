// docs/mechanisms.md is what the command prints.
#include <gtest/gtest.h>

#include <fstream>

#include "cli/session.h"

namespace renyi::test::mechanisms_document_test {
namespace {

TEST(MechanismsDocument, IsWhatTheCatalogueSays) {
  std::ifstream file(std::string(RENYI_SOURCE_DIR) + "/docs/mechanisms.md");
  std::vector<std::string> written;
  for (std::string line; std::getline(file, line);) written.push_back(line);
  const Session session;
  const Outcome printed = session.run("renyi mechanisms --markdown");
  EXPECT_EQ(printed.exit_code, 0);
  EXPECT_GT(printed.lines.size(), 100U);
  EXPECT_TRUE(written == printed.lines) << "docs/mechanisms.md is out of date: `make docs` writes it anew";
}

}  // namespace
}  // namespace renyi::test::mechanisms_document_test
