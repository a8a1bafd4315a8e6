#include "api/csv.h"

#include <gtest/gtest.h>

namespace renyi::test::csv_test {
namespace {

std::string cell(std::string_view words) {
  std::string out;
  api::append_cell(out, words);
  return out;
}

TEST(Csv, QuotesWhatWouldEndACell) {
  EXPECT_EQ(cell("a b"), "a b");
  EXPECT_EQ(cell(""), "");
  EXPECT_EQ(cell("a,b"), "\"a,b\"");
  EXPECT_EQ(cell("a \"b\""), "\"a \"\"b\"\"\"");
  EXPECT_EQ(cell("a\r\nb"), "\"a  b\"");
}

TEST(Csv, MarksWhatASpreadsheetWouldCompute) {
  for (const char* words : {"=1+1", "@SUM(A1)", "+1+2", "-1-2", "+49 30 1234", "-a", "\t=1", "--1", "-1.5x", "=-1"}) {
    EXPECT_EQ(cell(words), "\"'" + std::string(words) + '"');
  }
  EXPECT_EQ(cell("=HYPERLINK(\"http://a\",\"b\")"), "\"'=HYPERLINK(\"\"http://a\"\",\"\"b\"\")\"");
}

TEST(Csv, LeavesNumbersAsTheyAre) {
  for (const char* words : {"-1.5", "+2", "-inf", "-1e-300", "-1e400", "1-2", "a=b", "-", "="})
    EXPECT_EQ(cell(words), words);
}

}  // namespace
}  // namespace renyi::test::csv_test
