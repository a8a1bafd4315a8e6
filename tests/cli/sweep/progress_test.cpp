// The line that shows how far a sweep is.
#include "apps/cli/sweep/progress.h"

#include <gtest/gtest.h>

namespace renyi::cli::progress_test {
namespace {

TEST(ProgressLine, SaysHowFarHowFastAndHowLong) {
  EXPECT_EQ(progress_line({420'000, 1'000'000, 420'000, 27.45}, 79),
            "[##########..............]   42 %  420,000 of 1,000,000  15,300/s  38 s left");
  EXPECT_EQ(progress_line({0, 50, 0, 0}, 79), "[........................]    0 %  0 of 50");
  EXPECT_EQ(progress_line({50, 50, 50, 2}, 79), "[########################]  100 %  50 of 50  25/s  in 2 s");
}

// After an interruption, what was there before says nothing about the rate.
TEST(ProgressLine, TheRateIsThatOfThisRun) {
  EXPECT_EQ(progress_line({900, 1000, 10, 10}, 79),
            "[#####################...]   90 %  900 of 1,000  1.0/s  2 min left");
}

TEST(ProgressLine, NeverSaysAllBeforeTheEnd) {
  EXPECT_NE(progress_line({999'999, 1'000'000, 1, 1}, 79).find(" 99 %"), std::string::npos);
}

TEST(ProgressLine, LongTimesAreInLongUnits) {
  const auto left = [](double seconds) {
    const std::string line = progress_line({1, 2, 1, seconds}, 200);
    return line.substr(line.rfind("/s") + 4);
  };
  EXPECT_EQ(left(59), "59 s left");
  EXPECT_EQ(left(600), "10 min left");
  EXPECT_EQ(left(7 * 3600), "7 h left");
  EXPECT_EQ(left(30 * 86400.0), "30 days left");
  EXPECT_EQ(left(1e30), "years left");
}

TEST(ProgressLine, FitsTheTerminal) {
  for (std::size_t width = 1; width < 100; ++width) {
    EXPECT_LE(progress_line({420'000, 1'000'000, 420'000, 27.45}, width).size(), width);
  }
  EXPECT_EQ(progress_line({420'000, 1'000'000, 420'000, 27.45}, 59),
            "[##.....]   42 %  420,000 of 1,000,000  15,300/s  38 s left");
}

}  // namespace
}  // namespace renyi::cli::progress_test
