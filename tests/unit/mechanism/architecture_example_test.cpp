// The example of ARCHITECTURE.md, "To add a mechanism", is the source it names.
#include <gtest/gtest.h>

#include <fstream>
#include <sstream>
#include <string>

namespace architecture_example_test {
namespace {

std::string text_of(const std::string& path) {
  std::ifstream file(std::string(RENYI_SOURCE_DIR) + "/" + path);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

TEST(ArchitectureExample, IsTheSource) {
  const std::string source = text_of("src/mechanism/no_op.cpp"), document = text_of("ARCHITECTURE.md");
  ASSERT_FALSE(source.empty());
  EXPECT_NE(document.find("```cpp\n" + source + "```\n"), std::string::npos);
}

}  // namespace
}  // namespace architecture_example_test
