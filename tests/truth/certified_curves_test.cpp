// Certified curves against independent high-precision tables (data/README.md), every row of them. Three demands:
//
// - the stated enclosure holds the row's value, and is narrow;
// - a ball of relative radius below 1e-27 is as near to the row as the row is to the truth: one unit of its last digit,
//   or, where the last digits of a table are noise, its known relative error, and then such balls of both routes
//   overlap;
// - the enclosure of the second route lies inside the stated one.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>

#include "certify/log_moment.h"
#include "certify/mechanism/closed_form.h"
#include "certify/sampled_gaussian/trapezoid.h"
#include "renyi/extras/certify.h"
#include "support/decimal_ball.h"
#include "support/expect.h"
#include "support/settings.h"
#include "support/truth_table.h"

namespace renyi::certified_curves_test {
namespace {

using certify::Ball;
using certify::Precision;
using test::both_directions;
using test::name_of;
using test::read_table;
using test::Row;

// The largest relative width, and distance from rows whose last digit is off: for the record of the test.
struct Worst {
  double width = 0;
  double distance = 0;
};

double relative_width(const Ball& enclosure) { return 2 * enclosure.relative_radius(); }

// Evaluates with as many bits as are needed for a relative radius of 1e-27.
Ball sharp(const std::function<Ball()>& figure) {
  for (long bits = 128; bits <= 4096; bits *= 2) {
    const Precision precision(bits);
    Ball value = figure();
    if (value.relative_radius() < 1e-27) return value;
  }
  ADD_FAILURE() << "no sharp ball";
  return {};
}

void expect_enclosure(const Certified& certified, const std::string& text, Worst& worst) {
  const Precision precision(test::decimal_bits);
  const Ball value = test::ball_of_text(text);
  const Ball stated = Ball::hull(certify::ball_of(certified.value.lower), certify::ball_of(certified.value.upper));
  const bool exact = certified.value.lower == certified.value.upper;  // the row of the table is rounded
  EXPECT_TRUE(exact ? surely_at_most(abs(stated - value), test::last_digit_of(text))
                    : contains(certified.value, certify::enclosure_of(value)));
  EXPECT_LE(relative_width(stated), 2e-14);
  worst.width = std::max(worst.width, relative_width(stated));
}

// Returns true if the row is correct to its last digit.
bool expect_near(const Ball& ball, const std::string& text, double table_error, Worst& worst) {
  const Precision precision(test::decimal_bits);
  const Ball value = test::ball_of_text(text);
  const Ball off = abs(ball - value);
  // Some rows are short because they are exact.
  if (surely_at_most(off, min(test::last_digit_of(text), abs(value) * 1e-19))) return true;
  EXPECT_TRUE(surely_at_most(off, abs(value) * table_error)) << (off / abs(value)).about();
  worst.distance = std::max(worst.distance, (off / abs(value)).about());
  return false;
}

void expect_row(const Mechanism& mechanism, double order, Direction direction, const std::string& text,
                double table_error, Worst& worst) {
  SCOPED_TRACE(name_of(direction));
  if (order <= 1e4 || std::isinf(order)) {
    Plan plan;
    plan.add(mechanism);
    const Certified stated = certified::divergence(plan, order, direction);
    expect_enclosure(stated, text, worst);
    EXPECT_TRUE(contains(stated.value, certified::divergence(plan, order, direction, Route::second).value));
  }
  const auto by = [&](Route route) {
    return sharp([&] { return certify::divergence(mechanism, direction, order, route); });
  };
  const Ball first = by(Route::first);
  if (!expect_near(first, text, table_error, worst)) {
    EXPECT_TRUE(overlap(first, by(Route::second)));
  }
}

void record(const Worst& worst) {
  testing::Test::RecordProperty("largest_relative_width", std::to_string(worst.width * 1e15) + "e-15");
  testing::Test::RecordProperty("largest_distance_from_table", std::to_string(worst.distance * 1e25) + "e-25");
}

void expect_table(const char* name, std::size_t size, double remove_error, double add_error) {
  const auto rows = read_table(name);
  ASSERT_EQ(rows.size(), size);
  Worst worst;
  for (const Row& row : rows) {
    SCOPED_TRACE(row.dump());
    const SampledGaussian mechanism{row.at("q"), row.at("sigma")};
    const double order = row.at("alpha");
    expect_row(mechanism, order, Direction::remove, row.at("rdp_remove"), remove_error, worst);
    if (row.contains("rdp_add")) {
      expect_row(mechanism, order, Direction::add, row.at("rdp_add"), add_error, worst);
    }
  }
  record(worst);
}

TEST(CertifiedCurvesTruth, SampledGaussian) { expect_table("sampled_gaussian_rdp.jsonl", 400, 1e-22, 2e-17); }
TEST(CertifiedCurvesTruth, SampledGaussianAtExtremes) { expect_table("sampled_gaussian_rdp_extreme.jsonl", 200, 0, 0); }
TEST(CertifiedCurvesTruth, LargeOrders) { expect_table("large_orders_rdp.jsonl", 45, 0, 0); }

TEST(CertifiedCurvesTruth, BasicMechanisms) {
  const auto rows = read_table("basic_mechanisms_rdp.jsonl");
  ASSERT_EQ(rows.size(), 120U);
  Worst worst;
  for (const Row& row : rows) {
    SCOPED_TRACE(row.dump());
    const double order = row.at("alpha");
    expect_row(Laplace{row.at("laplace_scale")}, order, Direction::remove, row.at("laplace_rdp"), 1e-22, worst);
    expect_row(RandomizedResponse{row.at("rr_p")}, order, Direction::add, row.at("rr_rdp"), 1e-22, worst);
    expect_row(Gaussian{row.at("gaussian_sigma")}, order, Direction::remove, row.at("gaussian_rdp"), 0, worst);
  }
  record(worst);
}

TEST(CertifiedCurvesTruth, LimitOrders) {
  const auto rows = read_table("limit_orders.jsonl");
  ASSERT_EQ(rows.size(), 40U);
  Worst worst;
  for (const Row& row : rows) {
    SCOPED_TRACE(row.dump());
    const Mechanism mechanism = test::mechanism_of(row);
    for (const Direction direction : both_directions) {
      const std::string side = name_of(direction);
      expect_row(mechanism, 1, direction, row.at("order_1_" + side), 1e-27, worst);
      const std::string most = row.at("order_inf_" + side);
      if (most != "inf") {
        expect_row(mechanism, test::infinity, direction, most, 0, worst);
        continue;
      }
      Plan plan;
      plan.add(mechanism);
      const Dyadic end{"inf", 0};
      EXPECT_EQ(certified::divergence(plan, test::infinity, direction).value, (Enclosure{end, end}));
    }
  }
  record(worst);
}

// A(e) and A(e + i spacing) in one call; the second is the row's.
certify::Complex moment_of(const Mechanism& mechanism, Direction direction, const Row& row) {
  const Ball re = row.at("z_re").get<double>();
  const Ball im = row.at("z_im").get<double>();
  const auto sampled = mechanism.get_if<SampledGaussian>();
  if (!sampled || certify::has_closed_moment(mechanism)) {
    return certify::moment(mechanism, direction, certify::Complex(re, im));
  }
  const bool remove = direction == Direction::remove;
  return certify::trapezoid_moments(*sampled, remove ? re + 1 : -re, remove ? im : -im, 2, Precision::bits()).back();
}

TEST(CertifiedCurvesTruth, ComplexMoments) {
  const auto rows = read_table("complex_log_moments.jsonl");
  ASSERT_EQ(rows.size(), 152U);
  double worst = 0;
  for (const Row& row : rows) {
    for (const Direction direction : both_directions) {
      SCOPED_TRACE(row.dump() + name_of(direction));
      const Precision precision(384);
      const certify::Complex k = log(moment_of(test::mechanism_of(row), direction, row));
      const std::string side = name_of(direction);
      const Ball off = abs(k - certify::Complex(test::ball_of_text(row.at(side + "_re")),
                                                test::ball_of_text(row.at(side + "_im")))) /
                       abs(k);
      EXPECT_TRUE(surely_less(off, 1e-27)) << off.about();
      worst = std::max(worst, off.about());
    }
  }
  testing::Test::RecordProperty("largest_distance_from_table", std::to_string(worst * 1e30) + "e-30");
}

}  // namespace
}  // namespace renyi::certified_curves_test
