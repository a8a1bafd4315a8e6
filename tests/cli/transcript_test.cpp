// Every transcript and every console block of the documents, executed and compared.
#include "cli/transcript.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>

#include "cli/record.h"
#include "cli/session.h"

namespace renyi::test::transcript_test {
namespace {

namespace fs = std::filesystem;

const fs::path root = RENYI_SOURCE_DIR;

std::vector<fs::path> files_under(const fs::path& directory, const std::string& extension) {
  std::vector<fs::path> files;
  if (!fs::exists(directory)) return files;
  for (const auto& entry : fs::recursive_directory_iterator(directory)) {
    if (entry.path().extension() == extension) files.push_back(entry.path());
  }
  std::sort(files.begin(), files.end());
  return files;
}

std::vector<fs::path> transcripts() { return files_under(root / "tests/cli", ".transcript"); }

// Documents that show the command at work.
std::vector<fs::path> documents() {
  std::vector<fs::path> files = files_under(root / "docs", ".md");
  for (const auto& entry : fs::directory_iterator(root)) {
    if (entry.path().extension() == ".md") files.push_back(entry.path());
  }
  std::erase_if(files, [](const fs::path& file) { return read_document(file).empty(); });
  std::sort(files.begin(), files.end());
  return files;
}

std::string joined(const std::vector<std::string>& lines) {
  std::string text;
  for (const std::string& line : lines) text += line + '\n';
  return text;
}

void replay(const fs::path& file, const std::vector<Exchange>& exchanges) {
  ASSERT_FALSE(exchanges.empty()) << file << " holds no command";
  const Session session;
  Record record(file.lexically_relative(root));
  for (const Exchange& exchange : exchanges) {
    const Outcome outcome = session.run(exchange.command);
    record.add(exchange, outcome);
    EXPECT_TRUE(matches(exchange.expected, outcome.lines))
        << file.string() << ':' << exchange.line << ": $ " << exchange.command << "\nexpected:\n"
        << joined(exchange.expected) << "got:\n"
        << joined(outcome.lines);
    EXPECT_EQ(outcome.exit_code, exchange.exit_code) << file.string() << ':' << exchange.line;
  }
}

std::string test_name(const testing::TestParamInfo<fs::path>& info) {
  std::string name = info.param.lexically_relative(root).string();
  std::replace_if(
      name.begin(), name.end(), [](unsigned char c) { return std::isalnum(c) == 0; }, '_');
  return name;
}

class Transcript : public testing::TestWithParam<fs::path> {};
TEST_P(Transcript, SaysWhatTheCommandDoes) { replay(GetParam(), read_transcript(GetParam())); }
INSTANTIATE_TEST_SUITE_P(Cli, Transcript, testing::ValuesIn(transcripts()), test_name);

class Document : public testing::TestWithParam<fs::path> {};
TEST_P(Document, SaysWhatTheCommandDoes) { replay(GetParam(), read_document(GetParam())); }
INSTANTIATE_TEST_SUITE_P(Cli, Document, testing::ValuesIn(documents()), test_name);

TEST(Matching, DotsStandForAnyLines) {
  EXPECT_TRUE(matches({"a", "...", "c"}, {"a", "b", "b", "c"}));
  EXPECT_TRUE(matches({"...", "c"}, {"c"}));
  EXPECT_FALSE(matches({"a", "...", "c"}, {"a", "b"}));
  EXPECT_FALSE(matches({"a"}, {"a", "b"}));
  EXPECT_FALSE(matches({"a", "b"}, {"a"}));
}

}  // namespace
}  // namespace renyi::test::transcript_test
