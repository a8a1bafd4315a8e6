// Every instruction set gives the same results for the same words, random ones and those at the ends of cells.
#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <random>
#include <span>
#include <vector>

#include "noise/exact/cells.h"
#include "noise/exact/scale.h"
#include "noise/kernels/clip.h"
#include "noise/kernels/kernels.h"
#include "simd/dispatch.h"
#include "support/simd.h"

namespace renyi::noise {
namespace targets_test {

using Column = std::vector<std::uint64_t>;

// Columns of words: random ones, and all combinations of extreme ones.
struct Block {
  Column cell, place, acceptance;
  [[nodiscard]] Words words() const { return {cell.data(), place.data(), acceptance.data()}; }
  [[nodiscard]] std::size_t count() const { return cell.size(); }
};
Block random_block() {
  std::mt19937_64 random(11);
  Block block;
  for (int i = 0; i < 1 << 16; ++i) {
    block.cell.push_back(random());
    block.place.push_back(random());
    block.acceptance.push_back(random());
  }
  return block;
}
Block extreme_block(const CellFloors& cells) {
  Column ends{0, 1, 2, ~std::uint64_t{0}, ~std::uint64_t{1}, std::uint64_t{1} << 63U, (std::uint64_t{1} << 63U) - 1};
  for (int bit = 0; bit < 64; bit += 3) ends.push_back(std::uint64_t{1} << static_cast<unsigned>(bit));
  Column cell = ends;
  for (const std::uint64_t floor : cells.floor) {
    // The word without its sign is compared with the floor: half of it, with either sign.
    for (std::uint64_t step = 0; step < 5; ++step) {
      cell.push_back(floor / 2 + step - 2);
      cell.push_back((floor / 2 + step - 2) | (std::uint64_t{1} << 63U));
    }
  }
  Block block;
  for (const std::uint64_t c : cell) {
    for (const std::uint64_t p : ends) {
      for (const std::uint64_t a : ends) {
        block.cell.push_back(c);
        block.place.push_back(p);
        block.acceptance.push_back(a);
      }
    }
  }
  while (block.count() % lanes_at_once != 0) {
    block.cell.push_back(0);
    block.place.push_back(0);
    block.acceptance.push_back(0);
  }
  return block;
}

struct Result {
  explicit Result(std::size_t count) : out(count), accepted(count), undecided(count) {}
  Column out, accepted, undecided;
  Marks marks() { return {accepted.data(), undecided.data()}; }
  std::int64_t* values() { return reinterpret_cast<std::int64_t*>(out.data()); }
};

// Sets without a fused multiplication round otherwise, so that one may leave to the second tier what another decides:
// the values are the same, and no decision contradicts another. With random words all marks are the same.
void expect_same(const Result& first, const Result& other, bool is_random) {
  EXPECT_EQ(first.out, other.out);
  std::size_t contradictions = 0, differences = 0;
  for (std::size_t i = 0; i < first.out.size(); ++i) {
    if (first.undecided[i] != other.undecided[i])
      ++differences;
    else if (first.accepted[i] != other.accepted[i])
      ++contradictions;
  }
  EXPECT_EQ(contradictions, 0U);
  if (is_random) {
    EXPECT_EQ(differences, 0U);
  } else {
    EXPECT_LT(differences, first.out.size() / 1000);
  }
}

// Runs kernel(target, block, result) for every instruction set.
template <class Kernel>
void expect_same_on_every_target(const CellFloors& cells, const Kernel& kernel) {
  for (const bool is_random : {true, false}) {
    const Block block = is_random ? random_block() : extreme_block(cells);
    Result baseline(block.count());
    kernel(simd::Target::baseline, block, baseline);
    for (const simd::Target target : test::available_targets()) {
      SCOPED_TRACE(testing::Message() << "target " << static_cast<int>(target) << ", random " << is_random);
      Result result(block.count());
      kernel(target, block, result);
      expect_same(baseline, result, is_random);
    }
  }
}

TEST(Targets, AttemptsOfContinuousLawsAreTheSame) {
  const CellFloors& cells = Cells::plain().floors();
  expect_same_on_every_target(cells, [&](simd::Target target, const Block& block, Result& result) {
    normal_kernels_for(target).normal_attempts(block.words(), block.count(), cells, {}, result.out.data(),
                                               result.marks());
  });
  expect_same_on_every_target(cells, [&](simd::Target target, const Block& block, Result& result) {
    exponential_kernels_for(target).exponential_attempts(block.words(), block.count(), {}, result.out.data(),
                                                         result.marks());
  });
}

TEST(Targets, AttemptsOfDiscreteLawsAreTheSame) {
  for (const double scale : {0x1p-10, 0.3, 1.0, 7.5, 1000.0, 0x1p20, 0x1.234567p40}) {
    SCOPED_TRACE(scale);
    const Cells cells(std::ceil(scale), scale);
    const IntegerCells integers{cells.floors(), Scale::of(std::ceil(scale), 1).fixed(), std::ceil(scale),
                                1 / (2 * scale * scale)};
    expect_same_on_every_target(cells.floors(), [&](simd::Target target, const Block& block, Result& result) {
      normal_kernels_for(target).discrete_gaussian_attempts(block.words(), block.count(), integers, {}, result.values(),
                                                            result.marks());
    });
    const FixedScale binary = Scale::of_binary(scale, 1).fixed();
    for (const bool is_two_sided : {false, true}) {
      expect_same_on_every_target(cells.floors(), [&](simd::Target target, const Block& block, Result& result) {
        exponential_kernels_for(target).discrete_laplace_attempts(block.words(), block.count(), binary,
                                                                  std::uint64_t{1} << 62U, is_two_sided, {},
                                                                  result.values(), result.marks());
      });
    }
  }
}

// Real numbers as they come, and where they are difficult.
std::vector<double> numbers() {
  std::vector<double> x{0.0,
                        -0.0,
                        0.5,
                        -0.5,
                        1e-300,
                        -5e-324,
                        std::numeric_limits<double>::infinity(),
                        -std::numeric_limits<double>::infinity(),
                        std::nan(""),
                        0x1p51,
                        -0x1p51,
                        0x1p52 + 1,
                        0x1p50 + 0.25,
                        0x1.fffffffffffffp-1,
                        1e308};
  std::mt19937_64 random(5);
  while (x.size() % 64 != 0 || x.size() < 4096) {
    const double size = std::ldexp(static_cast<double>(random()), static_cast<int>(random() % 100) - 110);
    x.push_back((random() & 1U) != 0 ? -size : size);
  }
  return x;
}

TEST(Targets, NumbersAndSumsOnTheGridAreTheSame) {
  const std::vector<double> x = numbers();
  const std::size_t count = x.size();
  std::mt19937_64 random(6);
  Column cell(count), place(count);
  for (std::size_t i = 0; i < count; ++i) {
    cell[i] = random() % 20;
    place[i] = random();
  }
  for (const double scale : {0.3, 7.5, 0x1.234567p40}) {
    const auto sums = [&](simd::Target target) {
      const PlaceKernels kernels = place_kernels_for(target);
      std::vector<Column> columns(6, Column(count));
      const FixedValues fixed{columns[0].data(), columns[1].data(), columns[2].data(), columns[3].data()};
      kernels.to_fixed(x.data(), count, 0.5, 0x1p51, fixed);
      kernels.place_on_grid(fixed, cell.data(), place.data(), count, Scale::of(scale, 1).fixed(), {},
                            reinterpret_cast<std::int64_t*>(columns[4].data()), columns[5].data());
      return columns;
    };
    const std::vector<Column> baseline = sums(simd::Target::baseline);
    for (const simd::Target target : test::available_targets()) EXPECT_EQ(sums(target), baseline);
  }
}

TEST(Targets, LanesAreMovedInTheSameWay) {
  std::mt19937_64 random(8);
  for (const simd::Target target : test::available_targets()) {
    const PlaceKernels kernels = place_kernels_for(target);
    for (int round = 0; round < 200; ++round) {
      const std::size_t count = 8 * (1 + random() % 16);
      Column values(count), marks(count), kept;
      for (std::size_t i = 0; i < count; ++i) {
        values[i] = random();
        marks[i] = random() % 4 == 0 ? ~std::uint64_t{0} : 0;
        if (marks[i] != 0) kept.push_back(values[i]);
      }
      std::uint64_t first = 0;
      while (first < count && marks[first] == 0) ++first;
      EXPECT_EQ(kernels.marked_lanes(marks.data(), count).first, first);
      EXPECT_EQ(kernels.marked_lanes(marks.data(), count).number, kept.size());
      if (first < count) {
        EXPECT_EQ(kernels.lane(values.data(), count, first), values[first]);
      }
      Column changed = values, expected = values;
      kernels.set_lane(changed.data(), count, first, 17);
      if (first < count) expected[first] = 17;
      EXPECT_EQ(changed, expected);
    }
  }
}

// Records whose integers reach 2^30, sums at their ends, and digits at every place.
TEST(Targets, RecordsAndDigitsAreAddedInTheSameWay) {
  constexpr std::size_t count = 72;
  std::mt19937_64 random(9);
  std::vector<double> record(count);
  for (double& x : record)
    x = std::ldexp(static_cast<double>(random() % 2000) - 1000, static_cast<int>(random() % 40) - 30);
  std::vector<std::int64_t> sums(count);
  for (std::size_t i = 0; i < count; ++i) sums[i] = i % 3 == 0 ? 0 : (i % 3 == 1 ? end_of_sums : -end_of_sums);
  const auto added = [&](simd::Target target, std::uint64_t keep) {
    const ClipKernels kernels = clip_kernels_for(target);
    std::vector<std::int32_t> integers(count);
    kernels.doubles_to_integers(record.data(), count, {0.5, 0x1p10, keep}, integers.data());
    std::vector<std::int64_t> result = sums;
    kernels.add_integers(result.data(), integers.data(), count);
    for (std::uint64_t place = 0; place + 2 < count; ++place) {
      kernels.add_digits(result.data(), {place, {3, -5, static_cast<std::int64_t>(place) << 20U}}, count);
    }
    result.push_back(static_cast<std::int64_t>(kernels.greatest_bits(record.data(), count)));
    result.push_back(static_cast<std::int64_t>(low_word(kernels.squares_of_integers(integers.data(), count))));
    return result;
  };
  for (const std::uint64_t keep : {std::uint64_t{0}, ~std::uint64_t{0}}) {
    std::vector<std::int64_t> expected = sums;
    double greatest = 0;
    std::uint64_t squares = 0;
    for (std::size_t i = 0; i < count; ++i) {
      const auto integer = keep == 0 ? 0 : static_cast<std::int64_t>(record[i] * 0x1p9);
      expected[i] = std::clamp(expected[i] + integer, -end_of_sums, end_of_sums);
      greatest = std::max(greatest, std::abs(record[i]));
      squares += static_cast<std::uint64_t>(integer * integer);
    }
    for (std::size_t place = 0; place + 2 < count; ++place) {
      expected[place] += 3;
      expected[place + 1] -= 5;
      expected[place + 2] += static_cast<std::int64_t>(place) << 20U;
    }
    expected.push_back(std::bit_cast<std::int64_t>(greatest));
    expected.push_back(static_cast<std::int64_t>(squares));
    for (const simd::Target target : test::available_targets()) EXPECT_EQ(added(target, keep), expected);
  }
}

}  // namespace targets_test
}  // namespace renyi::noise
