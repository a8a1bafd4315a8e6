// Renyi divergences against independent high-precision tables (data/README.md).
#include "renyi/rdp.h"

#include <gtest/gtest.h>

#include "support/expect.h"
#include "support/truth_table.h"

namespace renyi::rdp_test {
namespace {

using test::decimal;
using test::expect_bounds;
using test::read_table;
using test::Row;

constexpr long double looseness = 1e-9L, accuracy = 1e-10L;

Bounded sampled_gaussian(const Row& row, Direction direction) {
  const SampledGaussian mechanism{row.at("q"), row.at("sigma")};
  return divergence(*Mechanism(mechanism).curve(), row.at("alpha"), direction);
}

TEST(RdpTruth, SampledGaussianInBothDirections) {
  const auto rows = read_table("sampled_gaussian_rdp.jsonl");
  ASSERT_EQ(rows.size(), 400U);
  for (const Row& row : rows) {
    SCOPED_TRACE(row.dump());
    expect_bounds(sampled_gaussian(row, Direction::remove), decimal(row, "rdp_remove"), looseness, accuracy);
    expect_bounds(sampled_gaussian(row, Direction::add), decimal(row, "rdp_add"), looseness, accuracy);
  }
}

TEST(RdpTruth, TheLargerDirectionIsRemove) {
  for (const Row& row : read_table("sampled_gaussian_rdp.jsonl")) {
    SCOPED_TRACE(row.dump());
    const SampledGaussian mechanism{row.at("q"), row.at("sigma")};
    expect_bounds(rdp(*Mechanism(mechanism).curve(), row.at("alpha")), decimal(row, "rdp_remove"), looseness, accuracy);
  }
}

TEST(RdpTruth, SampledGaussianAtExtremes) {
  const auto rows = read_table("sampled_gaussian_rdp_extreme.jsonl");
  ASSERT_EQ(rows.size(), 200U);
  for (const Row& row : rows) {
    SCOPED_TRACE(row.dump());
    expect_bounds(sampled_gaussian(row, Direction::remove), decimal(row, "rdp_remove"), looseness, accuracy);
  }
}

TEST(RdpTruth, SampledGaussianAtLargeOrders) {
  const auto rows = read_table("large_orders_rdp.jsonl");
  ASSERT_EQ(rows.size(), 45U);
  for (const Row& row : rows) {
    SCOPED_TRACE(row.dump());
    // Beyond order 1e4 the bound has to be sound, and no looser than this.
    const bool promised = row.at("alpha") <= 1e4;
    expect_bounds(sampled_gaussian(row, Direction::remove), decimal(row, "rdp_remove"), promised ? looseness : 1e-6L,
                  promised ? accuracy : 1e-6L);
  }
}

TEST(RdpTruth, BasicMechanisms) {
  const auto rows = read_table("basic_mechanisms_rdp.jsonl");
  ASSERT_EQ(rows.size(), 120U);
  constexpr long double basic = 1e-12L;
  for (const Row& row : rows) {
    SCOPED_TRACE(row.dump());
    const double order = row.at("alpha");
    const Laplace laplace{row.at("laplace_scale")};
    const RandomizedResponse response{row.at("rr_p")};
    const Gaussian gaussian{row.at("gaussian_sigma")};
    expect_bounds(rdp(*Mechanism(laplace).curve(), order), decimal(row, "laplace_rdp"), basic, basic);
    expect_bounds(rdp(*Mechanism(response).curve(), order), decimal(row, "rr_rdp"), basic, basic);
    expect_bounds(rdp(*Mechanism(gaussian).curve(), order), decimal(row, "gaussian_rdp"), basic, basic);
  }
}

// The same rows through a plan: composed once, the answer is the mechanism's own.
TEST(RdpTruth, ThroughAPlan) {
  for (const Row& row : read_table("sampled_gaussian_rdp_extreme.jsonl")) {
    SCOPED_TRACE(row.dump());
    Plan plan;
    plan.add(SampledGaussian{row.at("q"), row.at("sigma")});
    const double order = row.at("alpha");
    expect_bounds(rdp(plan, {&order, 1}).at(0), decimal(row, "rdp_remove"), looseness, accuracy);
  }
}

}  // namespace
}  // namespace renyi::rdp_test
