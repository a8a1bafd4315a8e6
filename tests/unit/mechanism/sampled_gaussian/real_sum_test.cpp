// The sum of a real order over chunks: every instruction set against the same sum in long double, and the windows
// against everything there is.
#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "mechanism/sampled_gaussian/kernels.h"
#include "mechanism/sampled_gaussian/lattice.h"
#include "mechanism/sampled_gaussian/summation.h"
#include "support/simd.h"

namespace renyi::sampled_gaussian::real_sum_test {
namespace {

using renyi::simd::Target;
using test::available_targets;
using test::exp_rest;
using Real = long double;

constexpr Direction directions[] = {Direction::remove, Direction::add};
struct Case {
  double q, s;
};
constexpr Case cases[] = {{0.01, 1.1}, {1e-6, 0.6}, {0.3, 5}, {0.6, 0.3}, {1e-40, 1}};
constexpr double some_z[] = {0, 1e-6, 0.5, 3.7, 25, 110, 1000};

// Returns the term of one node, computed from the columns of the chunk, which are taken as exact.
struct Term {
  Real moment = 0, slope = 0, curvature = 0;
};

Term term_of(const Order& o, const Params& k, const Chunk& c, std::size_t i, Direction direction) {
  const bool remove = direction == Direction::remove;
  const Real z = o.z, unscale = o.unscale, loss = remove ? c.loss[i] : -c.loss[i], y = z * loss;
  const Real weight = remove ? c.p[i] : c.q[i], centred = remove ? c.centred_p[i] : c.centred_q[i];
  if (y < 1) {
    return {unscale * (weight * exp_rest(y) + z * centred), unscale * (weight * loss * std::expm1(y) + centred),
            unscale * weight * loss * loss * std::exp(y)};
  }
  const Exponent e = remove ? exponent<Direction::remove>(o, k, c, i) : exponent<Direction::add>(o, k, c, i);
  const Real large = std::exp(static_cast<Real>(e.value));
  return {large - unscale * (weight * (1 + y) - z * centred), loss * large - unscale * (weight * loss - centred),
          loss * loss * large};
}

Real total(const RealLanes::Lane& lanes) {
  Real sum = 0;
  for (const double x : lanes) sum += x;
  return sum;
}

TEST(RealSum, EveryInstructionSetAddsTheSameTerms) {
  for (const Target target : available_targets()) {
    for (const auto& [q, s] : cases) {
      const Params k(q, s);
      const Lattice lattice(k, 0.5 * Lattices(k).base_step());
      for (const Direction direction : directions) {
        for (const double z : some_z) {
          const Order order = make_order(lattice, z, direction, peaks_of(k, z, direction));
          for (const long c : {-3L, -1L, 0L, 1L, 4L, 30L}) {
            SCOPED_TRACE(testing::Message() << "target " << static_cast<int>(target) << ", q = " << q << ", s = " << s
                                            << ", z = " << z << ", " << to_string(direction) << ", chunk " << c);
            Chunk scratch{};
            const Chunk& chunk = lattice.chunk(c, scratch);
            RealLanes lanes;
            const Edges edges = add_chunk_for(target, direction)(order, k, chunk, lanes);
            Term sum;
            std::vector<Term> terms;
            for (std::size_t i = 0; i < Chunk::size; ++i) {
              terms.push_back(term_of(order, k, chunk, i, direction));
              sum = {sum.moment + terms[i].moment, sum.slope + terms[i].slope, sum.curvature + terms[i].curvature};
            }
            // Terms of each sign of the loss are >= 0; a few units for the exponents and what is lost below 1e-307.
            const auto near = [](Real exact) { return 48 * 0x1p-53L * std::abs(exact) + 1e-300L; };
            const Real noise = static_cast<double>(total(lanes.noise)) * 0x1p-53L;
            EXPECT_LE(std::abs(total(lanes.moment) - sum.moment), noise + near(sum.moment));
            EXPECT_LE(std::abs(total(lanes.slope) - sum.slope), noise * (z > 1 ? 1 : 1 / (z + 1e-9)) + near(sum.slope));
            EXPECT_NEAR(static_cast<double>(total(lanes.curvature)), static_cast<double>(sum.curvature),
                        static_cast<double>(1e-10L * sum.curvature) + 1e-300);
            EXPECT_NEAR(edges.low, static_cast<double>(terms.front().slope), 1e-10 * std::abs(edges.low) + 1e-300);
            EXPECT_NEAR(edges.high, static_cast<double>(terms.back().slope), 1e-10 * std::abs(edges.high) + 1e-300);
          }
        }
      }
    }
  }
}

TEST(RealSum, EvenAndOddNodesStayApart) {
  const Params k(0.01, 1.1);
  const Lattice lattice(k, Lattices(k).base_step());
  const Order order = make_order(lattice, 3, Direction::remove, {});
  Chunk scratch{};
  const Chunk& chunk = lattice.chunk(0, scratch);
  RealSum sum(order, k, Direction::remove);
  sum.add(chunk);
  Real parity[2] = {0, 0};
  for (std::size_t i = 0; i < Chunk::size; ++i) parity[i & 1] += term_of(order, k, chunk, i, Direction::remove).moment;
  EXPECT_NEAR(sum.coarse_error(), static_cast<double>(std::abs(parity[0] - parity[1])), 1e-13 * sum.moment());
  EXPECT_NEAR(sum.moment(), static_cast<double>(parity[0] + parity[1]), 1e-13 * sum.moment());
  EXPECT_EQ(sum.nodes(), Chunk::size);
}

// Windows leave out nothing and add nothing twice: the sum over them is that over all chunks from far left to far
// right, whether the peaks are known or only where they end.
TEST(ChunkWindows, MissNothingThatCounts) {
  for (const auto& [q, s] : cases) {
    const Params k(q, s);
    const Lattices lattices(k);
    for (const Direction direction : directions) {
      const Lattice& lattice = lattices[lattices.real_level(direction)];
      for (const double z : some_z) {
        const Peaks peaks = peaks_of(k, z, direction);
        const Order order = make_order(lattice, z, direction, peaks);
        const auto chunk_at = [&](double x) { return chunk_of(std::lround(x / lattice.step())); };
        const double reach = 30 * s + 2;
        RealSum all(order, k, direction);
        Chunk scratch{};
        const long last = chunk_at(z + 1 + reach);
        if (last > 2000) continue;
        for (long c = chunk_at(peaks.left - reach); c <= last; ++c) all.add(lattice.chunk(c, scratch));
        std::vector<Reach> ways{{peaks.left, peaks.right, peaks.right, peaks.upper}};
        const auto near =
            direction == Direction::remove ? near_above_one(k, z + 1, 60 * lattice.step()) : near_below_zero(k, z);
        if (near && !may_need_scale(k, order.power)) ways.push_back(*near);
        for (const Reach& way : ways) {
          SCOPED_TRACE(testing::Message() << "q = " << q << ", s = " << s << ", z = " << z << ", "
                                          << to_string(direction) << ", right end " << way.right_end);
          RealSum sum(order, k, direction);
          sum_chunks(lattice, sum, way);
          EXPECT_LE(sum.nodes(), all.nodes() + 20 * Chunk::size);
          EXPECT_NEAR(sum.moment(), all.moment(), 2e-15 * all.moment());
          EXPECT_NEAR(sum.slope(), all.slope(), 2e-15 * all.slope());
        }
      }
    }
  }
}

}  // namespace
}  // namespace renyi::sampled_gaussian::real_sum_test
