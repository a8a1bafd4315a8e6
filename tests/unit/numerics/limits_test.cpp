#include "renyi/limits.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <limits>
#include <stdexcept>
#include <thread>

namespace renyi::numerics_limits_test {
namespace {

using namespace std::chrono_literals;
using testing::HasSubstr;
using testing::IsEmpty;

volatile int turns = 0;

Limit limit_reached() {
  try {
    stop_if_asked();
  } catch (const LimitReached& error) {
    return error.limit();
  }
  throw std::logic_error("no limit was reached");
}

TEST(Limits, ReadsTimesAsTheyAreWritten) {
  EXPECT_EQ(read_time("--time-limit", "2s"), 2s);
  EXPECT_EQ(read_time("--time-limit", "500ms"), 500ms);
  EXPECT_EQ(read_time("--time-limit", "1m"), 60s);
  EXPECT_EQ(read_time("--time-limit", "0.25"), 250ms);
  EXPECT_EQ(read_time("--time-limit", "0"), 0s);
  for (const char* text : {"", "s", "-1s", "2h", "2 s", "inf", "nan", "1e400", "2ss"}) {
    EXPECT_THROW((void)read_time("--time-limit", text), InvalidArgument) << text;
  }
  EXPECT_THROW((void)time_of_seconds("timeout", -0.5), InvalidArgument);
  EXPECT_GT(time_of_seconds("timeout", 1e300), 1h);
}

TEST(Limits, NothingStopsWithoutAScope) {
  EXPECT_EQ(active_limits(), nullptr);
  EXPECT_NO_THROW(stop_if_asked());
  EXPECT_NO_THROW(check_memory(1e300, "a table"));
  EXPECT_EQ(memory_limit(), std::numeric_limits<std::size_t>::max());
  EXPECT_THAT(reached_limit(), IsEmpty());
  const LimitScope scope(Limits{.time = 1h, .memory = 1 << 20});
  EXPECT_NO_THROW(stop_if_asked());
  EXPECT_FALSE(scope.was_reached());
}

TEST(Limits, TheStricterOfNestedScopesCounts) {
  const LimitScope outer(Limits{.time = 0s, .memory = 1000});
  {
    const LimitScope inner(Limits{.time = 1h, .memory = 5000});
    EXPECT_EQ(limit_reached(), Limit::time);
    EXPECT_TRUE(inner.was_reached());
    EXPECT_THAT(reached_limit(), HasSubstr("time limit of 0 s"));
    EXPECT_NO_THROW(check_memory(1000, "a table"));
    EXPECT_THROW(check_memory(1001, "a table"), LimitReached);
    EXPECT_EQ(memory_limit(), 1000U);
  }
  EXPECT_TRUE(outer.was_reached());
  const LimitScope next(Limits{});
  EXPECT_FALSE(next.was_reached());
  EXPECT_THAT(reached_limit(), IsEmpty());
}

TEST(Limits, ScopesAroundTheLimitAreNotReached) {
  const LimitScope outer(Limits{.time = 1h, .memory = 5000, .stop = [] { return false; }});
  {
    const LimitScope inner(Limits{.time = 0s, .memory = 1000, .stop = [] { return false; }});
    EXPECT_EQ(limit_reached(), Limit::time);
    EXPECT_THROW(check_memory(2000, "a table"), LimitReached);
  }
  {
    const LimitScope inner(Limits{.stop = [] { return true; }});
    EXPECT_EQ(limit_reached(), Limit::interruption);
  }
  EXPECT_FALSE(outer.was_reached());
}

TEST(Limits, CpuTimeIsTheWorkOfTheThread) {
  EXPECT_FALSE(has_time_limit());
  const LimitScope outer(Limits{.time = 1h});
  EXPECT_TRUE(has_time_limit());
  {
    const LimitScope scope(Limits{.cpu_time = 50ms});
    std::this_thread::sleep_for(60ms);  // waiting is no work
    EXPECT_NO_THROW(stop_if_asked());
    const auto work = [] {
      for (;;) stop_if_asked();
    };
    EXPECT_THROW(work(), LimitReached);
    EXPECT_TRUE(scope.was_reached());
    EXPECT_THAT(reached_limit(), HasSubstr("time limit of 0.05 s"));
    const LimitScope inner(Limits{.time = 1h});
    EXPECT_EQ(limit_reached(), Limit::time);
  }
  EXPECT_FALSE(outer.was_reached());
  EXPECT_THROW(LimitScope(Limits{.cpu_time = -1s}), InvalidArgument);
}

void work_until_overdue() {
  while (!is_overdue()) turns = turns + 1;
}

TEST(Limits, WorkIsOverdueLongAfterALimit) {
  EXPECT_FALSE(is_overdue());
  for (const Limits& limits : {Limits{.time = 0s}, Limits{.cpu_time = 0s}, Limits{.time = 0s, .cpu_time = 1h}}) {
    const LimitScope scope(limits);
    EXPECT_FALSE(is_overdue());
    EXPECT_NO_THROW(stop_if_overdue());
    {
      const LimitScope inner(Limits{.memory = 1 << 20});
      work_until_overdue();
      EXPECT_THAT(reached_limit(), HasSubstr("time limit of 0 s"));
    }
    EXPECT_TRUE(scope.was_reached());
    EXPECT_THROW(stop_if_overdue(), LimitReached);
  }
  const LimitScope scope(Limits{.time = 1h});
  EXPECT_FALSE(is_overdue());
}

// A thread whose processor is busy with something else has not worked for it.
TEST(Limits, ItIsWorkThatIsOverdue) {
  const LimitScope scope(Limits{.time = 0s});
  std::this_thread::sleep_for(60ms);
  EXPECT_FALSE(is_overdue());
}

TEST(Limits, AScopeEndsWithItsBlock) {
  { const LimitScope scope(Limits{.time = 0s}); }
  EXPECT_NO_THROW(stop_if_asked());
}

TEST(Limits, AFunctionInterrupts) {
  std::atomic<bool> stop{true};
  const LimitScope scope(Limits{.stop = [&] { return stop.load(); }});
  EXPECT_EQ(limit_reached(), Limit::interruption);
  stop = false;
  EXPECT_EQ(limit_reached(), Limit::interruption);  // what was interrupted stays so
}

TEST(Limits, AnExceptionOfTheFunctionPassesThrough) {
  const LimitScope scope(Limits{.stop = []() -> bool { throw std::range_error("mine"); }});
  EXPECT_THROW(stop_if_asked(), std::range_error);
}

TEST(Limits, AFunctionIsNotCalledTooEarly) {
  const LimitScope scope(Limits{.stop = [] { return true; }, .first_call = 1h});
  EXPECT_NO_THROW(stop_if_asked());
}

TEST(Limits, HoldOnOtherThreadsThatTakeThemAlong) {
  const LimitScope scope(Limits{.time = 0s});
  bool alone = false, along = false;
  std::jthread([&] {
    stop_if_asked();
    alone = true;
  }).join();
  std::jthread([&, limits = active_limits()] {
    const LimitScope taken(limits);
    along = limit_reached() == Limit::time;
  }).join();
  EXPECT_TRUE(alone);
  EXPECT_TRUE(along);
  EXPECT_TRUE(scope.was_reached());
}

TEST(Limits, ErrorsNameTheLimitAndWhatToDo) {
  const LimitScope scope(Limits{.memory = std::size_t{1} << 20});
  try {
    check_memory(3 << 20, "a table of masses");
    FAIL();
  } catch (const LimitReached& error) {
    EXPECT_EQ(error.kind(), ErrorKind::limit_reached);
    EXPECT_EQ(error.limit(), Limit::memory);
    EXPECT_THAT(error.what(), HasSubstr("memory limit of 1 MiB"));
    EXPECT_THAT(error.what(), HasSubstr("a table of masses would take 3 MiB"));
    EXPECT_THAT(error.instead(), HasSubstr("more memory"));
  }
  EXPECT_THROW(LimitScope(Limits{.time = -1s}), InvalidArgument);
}

}  // namespace
}  // namespace renyi::numerics_limits_test
