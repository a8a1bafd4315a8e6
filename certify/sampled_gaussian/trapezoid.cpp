#include "certify/sampled_gaussian/trapezoid.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "certify/sampled_gaussian/shape.h"
#include "renyi/error.h"
#include "renyi/limits.h"

namespace renyi::certify {
namespace trapezoid_file {
namespace {

// Chooses the step of the rule and the windows it sums over, and bounds the errors of both. Lemmas:
// docs/math/certified-trapezoid.md.

constexpr double most_nodes = 4e6;

// The integers from `first` to `last`.
struct Range {
  std::int64_t first = 0;
  std::int64_t last = 0;
};

struct Rule {
  double step = 0;
  double strip = 0;  // half of the width of the strip
};

struct Problem {
  double rate = 0;
  double noise = 0;
  Ball variance;
  Ball exponent;
  Ball reach;
};

Problem problem_of(const SampledGaussian& m, const Ball& exponent, const Ball& reach) {
  return {m.sampling_rate, m.noise_multiplier, square(Ball(m.noise_multiplier)), exponent, abs(reach)};
}

// Estimates ln of the ratio of the integral along the strip's edge to that along the real line, in doubles (for
// choosing).
double growth_about(const Problem& p, double strip) {
  const double angle = strip / (p.noise * p.noise);
  const double e = p.exponent.about();
  return strip * strip / (2 * p.noise * p.noise) + p.reach.about() * angle +
         (e < 0 ? e * std::log(std::cos(angle / 2)) : 0);
}

// Chooses the longest step for which the rule's error is 2^-bits, over all strips that avoid the singularities.
Rule choose_rule(const Problem& p, long bits) {
  const double wanted = static_cast<double>(bits + 2) * std::numbers::ln2;
  Rule best;
  for (double angle = 3.1; angle > 1e-9; angle /= 1.1) {
    const double strip = angle * p.noise * p.noise;
    const double step = 2 * std::numbers::pi * strip / (wanted + growth_about(p, strip));
    if (step > best.step) best = {step, strip};
  }
  // The step has few bits, so that every multiple of it is exact.
  int power = 0;
  const double mantissa = std::frexp(best.step, &power);
  best.step = std::ldexp(std::floor(std::ldexp(mantissa, 20)), power - 20);
  return best;
}

// Applies Lemma T1, with the edge bounded by Lemma T2 (e >= 1) or T3 (e < 0), relative to A(Re e).
Ball rule_error(const Problem& p, const Rule& rule) {
  const Ball strip = rule.strip;
  const Ball angle = strip / p.variance;
  if (!surely_less(angle, Ball::pi())) return Ball::infinity();
  Ball growth = square(strip) / (2 * p.variance) + p.reach * angle;
  if (surely_less(p.exponent, 0)) growth += p.exponent * log(cos(angle / 2));
  return 2 * exp(growth) / expm1(2 * Ball::pi() * strip / rule.step);
}

// Returns the multiples of the step within `half_width` of `centre`, and one more on either side.
Range around(double centre, double half_width, double step) {
  return {static_cast<std::int64_t>(std::floor((centre - half_width) / step)) - 1,
          static_cast<std::int64_t>(std::ceil((centre + half_width) / step)) + 1};
}

// Returns the mass of N(centre, s^2) outside the range, which bounds the sum over the multiples outside it: the density
// falls there.
Ball mass_outside(const Problem& p, const Ball& centre, const Range& range, const Ball& step) {
  const Ball noise = p.noise;
  return normal_above((centre - step * Ball(range.first)) / noise) +
         normal_above((step * Ball(range.last) - centre) / noise);
}

struct Windows {
  std::vector<Range> ranges;
  Ball left_out;  // the omitted part, relative to A(Re e)
};

std::vector<Range> merged(Range a, Range b) {
  if (b.first < a.first) std::swap(a, b);
  if (b.first <= a.last + 1) return {{a.first, std::max(a.last, b.last)}};
  return {a, b};
}

// Lemma T4: r^e <= 2^(e-1) ((1-q)^e + (q e^u)^e), the sum of two Gaussians around 0 and around e.
Windows two_windows(const Problem& p, double step, long bits) {
  const double e = p.exponent.about();
  const double half = p.noise * std::sqrt(2 * std::numbers::ln2 * (static_cast<double>(bits) + e + 1));
  const Range bulk = around(0, half, step);
  const Range shifted = around(e, half, step);
  const Ball outside = mass_outside(p, 0, bulk, step) + mass_outside(p, p.exponent, shifted, step);
  return {merged(bulk, shifted), pow(Ball(2), p.exponent - 1) * outside};
}

// Lemma T5: for e < 0 the integrand's logarithm is concave with a second derivative between -1/s^2 and -(1 + |e|/(4
// s^2))/s^2.
Windows one_window(const Problem& p, double step, long bits) {
  const double peak = lowest_peak({p.rate, p.noise}, p.exponent.about());
  const double spread = 1 - p.exponent.about() / (4 * p.noise * p.noise);
  const double half =
      p.noise * (std::sqrt(2 * std::numbers::ln2 * (static_cast<double>(bits) + 2) + std::log(spread)) + 1e-3);
  const Range range = around(peak, half, step);
  const Ball x = peak;
  const Ball odds = (1 - Ball(p.rate)) / p.rate * exp((1 - 2 * x) / (2 * p.variance));
  const Ball shift = p.exponent / (1 + odds) - x;  // slope times s^2
  const Ball outside = mass_outside(p, x + shift, range, step);
  const Ball curvature_ratio = 1 - p.exponent / (4 * p.variance);
  return {{range}, exp(square(shift) / (2 * p.variance)) * sqrt(curvature_ratio) * outside};
}

Windows windows_of(const Problem& p, double step, long bits) {
  return surely_less(p.exponent, 0) ? one_window(p, step, bits) : two_windows(p, step, bits);
}

double count_of(const std::vector<Range>& ranges) {
  double count = 0;
  for (const Range& range : ranges) count += static_cast<double>(range.last - range.first) + 1;
  return count;
}

void add_node(Nodes& nodes, const Problem& p, const Ball& scale, std::int64_t index) {
  const Ball x = nodes.step * Ball(index);
  const Ball u = (2 * x - 1) / (2 * p.variance);
  nodes.position.push_back(x);
  nodes.weight.push_back(scale * exp(-square(x) / (2 * p.variance)));
  nodes.loss.push_back(log1p(Ball(p.rate) * expm1(u)));
}

}  // namespace
}  // namespace trapezoid_file

double trapezoid_node_count(const SampledGaussian& mechanism, const Ball& exponent, const Ball& reach, long bits) {
  const trapezoid_file::Problem p = trapezoid_file::problem_of(mechanism, exponent, reach);
  return trapezoid_file::count_of(
      trapezoid_file::windows_of(p, trapezoid_file::choose_rule(p, bits).step, bits).ranges);
}

Nodes trapezoid_nodes(const SampledGaussian& mechanism, const Ball& exponent, const Ball& reach, long bits) {
  const trapezoid_file::Problem p = trapezoid_file::problem_of(mechanism, exponent, reach);
  const trapezoid_file::Rule rule = trapezoid_file::choose_rule(p, bits);
  const trapezoid_file::Windows windows = trapezoid_file::windows_of(p, rule.step, bits);
  if (!(trapezoid_file::count_of(windows.ranges) <= trapezoid_file::most_nodes))
    throw NotConverged("trapezoidal rule: more than 4e6 points needed");
  Nodes nodes;
  nodes.step = rule.step;
  nodes.error = trapezoid_file::rule_error(p, rule) + windows.left_out;
  // T4 and T5 require windows that contain the centres; one that does not would omit half a Gaussian or more.
  if (!surely_less(nodes.error, 0.5)) throw NotConverged("trapezoidal rule: no step reaches the accuracy asked for");
  const Ball scale = nodes.step / (Ball(p.noise) * sqrt(2 * Ball::pi()));
  for (const trapezoid_file::Range& range : windows.ranges) {
    for (std::int64_t i = range.first; i <= range.last; ++i) {
      stop_if_asked();
      trapezoid_file::add_node(nodes, p, scale, i);
    }
  }
  return nodes;
}

namespace trapezoid_file {
namespace {

// The points of one line are powers of one rotation exp(i angle loss). They are computed from a table of small
// rotations and a running product of large ones.

// A row of complex balls that Arb can sum at once.
class Row {
 public:
  explicit Row(std::size_t size) : size_(static_cast<slong>(size)), balls_(_acb_vec_init(size_)) {}
  ~Row() {
    if (balls_ != nullptr) _acb_vec_clear(balls_, size_);
  }
  Row(Row&& other) noexcept : size_(other.size_), balls_(other.balls_) { other.balls_ = nullptr; }
  Row(const Row&) = delete;
  Row& operator=(const Row&) = delete;
  Row& operator=(Row&&) = delete;

  acb_ptr at(std::size_t i) { return balls_ + i; }

  void multiply(const Row& other) {
    for (slong i = 0; i < size_; ++i) acb_mul(balls_ + i, balls_ + i, other.balls_ + i, Precision::bits());
  }
  Complex dot(const Row& other) const {
    Complex sum;
    acb_dot(sum.raw(), nullptr, 0, balls_, 1, other.balls_, 1, size_, Precision::bits());
    return sum;
  }

 private:
  slong size_;
  acb_ptr balls_;
};

// Computes exp(i angle loss) for every node.
Row turns(const Nodes& nodes, const Ball& angle) {
  Row row(nodes.loss.size());
  for (std::size_t i = 0; i < nodes.loss.size(); ++i) {
    stop_if_asked();
    const Ball turned = angle * nodes.loss[i];
    arb_sin_cos(acb_imagref(row.at(i)), acb_realref(row.at(i)), turned.raw(), Precision::bits());
  }
  return row;
}

Row ones(std::size_t size) {
  Row row(size);
  for (std::size_t i = 0; i < size; ++i) acb_one(row.at(i));
  return row;
}

Row masses(const Nodes& nodes, const Ball& exponent) {
  Row row(nodes.loss.size());
  for (std::size_t i = 0; i < nodes.loss.size(); ++i) {
    const Ball mass = nodes.weight[i] * exp(exponent * nodes.loss[i]);
    arb_set(acb_realref(row.at(i)), mass.raw());
  }
  return row;
}

std::vector<Row> small_turns(const Nodes& nodes, const Ball& spacing, long block) {
  std::vector<Row> rows;
  const Row turn = turns(nodes, spacing);
  rows.push_back(ones(nodes.loss.size()));
  for (long k = 1; k < block; ++k) {
    Row next = ones(nodes.loss.size());
    next.multiply(rows.back());
    next.multiply(turn);
    rows.push_back(std::move(next));
  }
  return rows;
}

// Returns the number of points per block: close to the square root, so that chains of products are short, and limited
// by memory.
long block_length(long points, double nodes) {
  const double root = std::sqrt(static_cast<double>(points));
  const double fitting = 1e6 / nodes;
  return std::max(1L, static_cast<long>(std::min(root, fitting)));
}

// A rotated box is enclosed in a larger box: each product may lose half a bit.
long bits_lost(long points, long block) { return 16 + (block + points / block) / 2; }

std::vector<Complex> sums(const Nodes& nodes, const Ball& exponent, const Ball& spacing, long points, long block) {
  std::vector<Complex> result;
  Row current = masses(nodes, exponent);
  const std::vector<Row> small = small_turns(nodes, spacing, block);
  const Row large = turns(nodes, spacing * Ball(static_cast<std::int64_t>(block)));
  while (static_cast<long>(result.size()) < points) {
    for (const Row& row : small) {
      if (static_cast<long>(result.size()) == points) break;
      result.push_back(current.dot(row));
    }
    current.multiply(large);
  }
  return result;
}

}  // namespace
}  // namespace trapezoid_file

std::vector<Complex> trapezoid_moments(const SampledGaussian& mechanism, const Ball& exponent, const Ball& spacing,
                                       long points, long bits) {
  const Ball reach = abs(spacing) * Ball(static_cast<std::int64_t>(points - 1));
  const long block = trapezoid_file::block_length(points, trapezoid_node_count(mechanism, exponent, reach, bits));
  const Precision guarded(Precision::bits() + trapezoid_file::bits_lost(points, block));
  const Nodes nodes = trapezoid_nodes(mechanism, exponent, reach, bits);
  std::vector<Complex> result = trapezoid_file::sums(nodes, exponent, spacing, points, block);
  // |sum - A| <= error A(Re e), and A(Re e) <= sum(Re e) / (1 - error).
  const Ball error = nodes.error * result.front().real() / (1 - nodes.error);
  for (Complex& moment : result) moment.widen(error);
  return result;
}

}  // namespace renyi::certify
