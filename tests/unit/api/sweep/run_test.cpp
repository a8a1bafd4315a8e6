// Rows over several threads: in order, each once, and stopped where asked.
#include "api/sweep/run.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <stdexcept>
#include <thread>
#include <vector>

namespace renyi::api::sweep::run_test {
namespace {

constexpr std::uint64_t size = 3000;

Grid cheap_grid() {
  return read_grid(fmt::format(
      R"({{"renyi-sweep":1,"request":{{"op":"epsilon","steps":[{{"mechanism":"pure-dp","epsilon":{{"from":-1,"to":3,"points":{}}}}}],"delta":0,"want":["renyi"]}}}})",
      size));
}

class SweepRun : public testing::Test {
 protected:
  // The rows from `first` to before `end`, one after the other.
  std::string plainly(std::uint64_t first, std::uint64_t end) {
    Configuration configuration(grid);
    std::string lines;
    for (std::uint64_t i = first; i < end; ++i) rows.append(lines, i, configuration);
    return lines;
  }

  const Grid grid = cheap_grid();
  const Rows rows{grid, Format::csv};
  std::string text;
  std::uint64_t unanswered = 0;
  const std::function<void(const Block&)> keep = [this](const Block& block) {
    text += block.text;
    unanswered += block.unanswered;
  };
};

TEST_F(SweepRun, RowsAreInOrderWhateverTheThreads) {
  for (const unsigned jobs : {1U, 2U, 5U}) {
    text.clear();
    unanswered = 0;
    EXPECT_EQ(run(rows, {.jobs = jobs}, keep, [] { return true; }), size);
    EXPECT_EQ(text, plainly(0, size)) << jobs;
    EXPECT_EQ(unanswered, size / 4);  // epsilons below 0
  }
}

TEST_F(SweepRun, GoesOnBehindWhatIsThere) {
  EXPECT_EQ(run(rows, {.first = 1234, .jobs = 2}, keep, [] { return true; }), size);
  EXPECT_EQ(text, plainly(1234, size));
  text.clear();
  EXPECT_EQ(run(rows, {.first = size, .jobs = 2}, keep, [] { return true; }), size);
  EXPECT_EQ(text, "");
}

TEST_F(SweepRun, StoppedItHasWrittenWhatItSays) {
  for (int allowed = 0; allowed < 40; allowed += 3) {
    text.clear();
    int asked = 0;
    const std::uint64_t done = run(rows, {.jobs = 3}, keep, [&] { return asked++ < allowed; });
    EXPECT_LE(done, size);
    EXPECT_EQ(text, plainly(0, done));
  }
}

TEST_F(SweepRun, AWriterThatFailsEndsIt) {
  const auto full = [](const Block&) { throw std::runtime_error("disk full"); };
  EXPECT_THROW(run(rows, {.jobs = 3}, full, [] { return true; }), std::runtime_error);
}

TEST(SweepBlocks, NoMoreThanSoManyAreAhead) {
  Blocks blocks(0, 100, 2);
  auto first = blocks.begin(10), second = blocks.begin(10);
  ASSERT_TRUE(first && second);
  blocks.deliver(*second);
  EXPECT_FALSE(blocks.take(std::chrono::milliseconds(0)));  // the first is not there
  std::optional<Block> third;
  std::jthread waiting([&] { third = blocks.begin(10); });
  blocks.deliver(*first);
  EXPECT_EQ(blocks.take(std::chrono::milliseconds(0))->first, 0U);
  waiting.join();
  ASSERT_TRUE(third);
  EXPECT_EQ(third->first, 20U);
  EXPECT_EQ(blocks.take(std::chrono::milliseconds(0))->first, 10U);
}

TEST(SweepBlocks, GrowShorterTowardsTheEnd) {
  Blocks blocks(0, 100, 10);
  EXPECT_EQ(blocks.begin(1000)->rows, 10U);
  EXPECT_EQ(blocks.begin(1000)->rows, 9U);
  EXPECT_EQ(blocks.begin(5)->rows, 5U);
  EXPECT_EQ(Blocks(97, 100, 10).begin(1000)->rows, 1U);
}

TEST(SweepBlocks, StoppingWakesThoseThatWait) {
  Blocks blocks(0, 100, 1);
  ASSERT_TRUE(blocks.begin(10));
  std::optional<Block> none = Block{};
  std::jthread waiting([&] { none = blocks.begin(10); });
  blocks.stop();
  waiting.join();
  EXPECT_FALSE(none);
}

TEST(SweepBlocks, FailuresArrive) {
  Blocks blocks(0, 100, 4);
  blocks.fail(std::make_exception_ptr(std::runtime_error("no memory")));
  EXPECT_THROW(blocks.take(std::chrono::milliseconds(1000)), std::runtime_error);
}

}  // namespace
}  // namespace renyi::api::sweep::run_test
