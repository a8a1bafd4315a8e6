// Comparisons of lazily read uniform numbers with thresholds, for every word.
#include "noise/exact/decide.h"

#include <gtest/gtest.h>

#include <cstdint>

namespace renyi::noise {
namespace decide_test {

// Gives every pair of words in turn, and further words of a fixed pattern.
struct Words {
  using Word = std::uint8_t;
  unsigned further = 0;
  Word next() { return static_cast<Word>(++further * 37); }
};

TEST(IsBelow, AgreesWithTheFractionForEveryPairOfWords) {
  // 1/3 = 0.0101...b, never decided by ties.
  const Enclosure third = [] { return certify::Ball(1) / certify::Ball(3); };
  const Wide whole = ~Wide{0} / 3;
  int slow = 0;
  for (unsigned pair = 0; pair < 65536; ++pair) {
    Words words;
    Uniform<std::uint8_t> u(static_cast<std::uint8_t>(pair >> 8U), static_cast<std::uint8_t>(pair & 255U));
    const bool below = is_below(words, u, {whole, whole}, third);
    if (words.further > 0) {
      ++slow;
      continue;
    }
    EXPECT_EQ(below, 3 * pair + 3 <= 65536) << pair;
  }
  EXPECT_EQ(slow, 1);
}

TEST(IsBelow, WideEnclosuresAskForBallArithmeticAndAgree) {
  const Enclosure third = [] { return certify::Ball(1) / certify::Ball(3); };
  for (unsigned pair = 0; pair < 65536; pair += 5) {
    if (pair == 21845) continue;
    Words words;
    Uniform<std::uint8_t> u(static_cast<std::uint8_t>(pair >> 8U), static_cast<std::uint8_t>(pair & 255U));
    EXPECT_EQ(is_below(words, u, {0, ~Wide{0}}, third), 3 * pair + 3 <= 65536) << pair;
    EXPECT_EQ(words.further, 0U);
  }
}

}  // namespace decide_test
}  // namespace renyi::noise
