// Drawing leaves the registers of the processor as the caller expects them: those of long double are empty.
#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <vector>

#include "renyi/noise.h"

namespace renyi::noise::registers_test {
namespace {

#if defined(__x86_64__)
// Two bits for each of the eight registers that long double and MMX share: 3 for an empty one.
unsigned tags() {
  std::array<std::uint32_t, 7> environment{};
  asm volatile("fnstenv %0\n\tfldenv %0" : "+m"(environment));
  return environment[2] & 0xffffU;
}

constexpr unsigned all_empty = 0xffff;

TEST(Registers, AreEmptyAfterADraw) {
  ASSERT_EQ(tags(), all_empty);
  std::vector<double> values(20'000);
  gaussian(values, values, 10);
  EXPECT_EQ(tags(), all_empty);
  laplace(values, values, 10);
  EXPECT_EQ(tags(), all_empty);
  std::vector<std::int64_t> wholes(20'000);
  discrete_gaussian(wholes, wholes, 10);
  EXPECT_EQ(tags(), all_empty);
  discrete_laplace(wholes, wholes, 10);
  EXPECT_EQ(tags(), all_empty);
}

TEST(Registers, ThatAreUsedAreNoticed) {
  asm volatile("fldz");
  EXPECT_NE(tags(), all_empty);
  asm volatile("fstp %st(0)");
  EXPECT_EQ(tags(), all_empty);
}
#endif

}  // namespace
}  // namespace renyi::noise::registers_test
