#include "certify/random_allocation/moment.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <string>
#include <unordered_map>

#include "certify/random_allocation/series.h"
#include "certify/random_allocation/transform.h"
#include "renyi/error.h"
#include "renyi/limits.h"

namespace renyi::certify {
namespace allocation_moment_file {
namespace {

// A(p) = E_Q[R^p] = (1/Gamma(q)) * integral of exp(q tau) D(exp(tau)) over all real tau, where D(u) = E_Q[R^n exp(-uR)]
// and q = n - p > 0 (Lemma A3).
struct Problem {
  std::int64_t t = 0;
  Ball variance;  // the variance of ln X_i
  Ball power;     // p, exact
  std::int64_t derivative = 0;
  Ball q;
  bool times_tau = false;       // the integrand is multiplied by tau
  std::vector<Ball> moments{};  // bounds use A(0), ..., A(n)

  double wanted = 0;  // ln of the accuracy, positive
  Ball reach = 0;     // the largest imaginary part of the power
};

long guard_bits(std::int64_t t, std::int64_t n) {
  return 48 +
         static_cast<long>(std::ceil(std::log2(static_cast<double>(t)) + 2 * std::log2(static_cast<double>(n + 2))));
}

// Lemma A5: an upper bound on A(r), for r up to n.
Ball largest_moment(const Problem& p, const Ball& r) {
  if (surely_at_most(r, 0)) return exp(-r * p.variance / 2 * (1 - r / Ball(p.t)));
  if (surely_at_most(0, r) && surely_at_most(r, 1)) return 1;
  const auto below = static_cast<std::int64_t>(std::floor(r.about()));
  const Ball share = r - Ball(below);
  if (below < 1 || below > p.derivative || !surely_at_most(0, share) || !surely_at_most(share, 1))
    return Ball::unknown();
  if (arb_is_zero(share.raw()) != 0) return p.moments[static_cast<std::size_t>(below)];
  if (below == p.derivative) return Ball::unknown();
  const auto i = static_cast<std::size_t>(below);
  return exp((1 - share) * log(p.moments[i]) + share * log(p.moments[i + 1]));
}

// Estimates a lower bound on ln A(p).
double least_log_moment(const Problem& p) {
  const double power = p.power.about(), t = static_cast<double>(p.t), variance = p.variance.about();
  if (power < 0) return power * power * variance / (2 * t);
  double least = std::max(0.0, power * (power - 1) * variance / 2 - (power - 1) * std::log(t));
  const auto below = static_cast<std::size_t>(std::floor(power));
  if (power > 1) least = std::max(least, log(p.moments[below]).about());
  return least;
}

Ball gamma_of(const Ball& x) {
  Ball result;
  arb_gamma(result.raw(), x.raw(), Precision::bits());
  return result;
}

Ball digamma_of(const Ball& x) {
  Ball result;
  arb_digamma(result.raw(), x.raw(), Precision::bits());
  return result;
}

// sup of x^a exp(-x) over x > 0, for a >= 0
Ball largest_gamma_kernel(const Ball& a) { return arb_is_zero(a.raw()) != 0 ? Ball(1) : exp(a * (log(a) - 1)); }

// The points tau = j h from `first` to `last`. The variance of the logarithms is a multiple of h, or h is one of the
// variance: M is needed at the same points for all derivatives.
struct Grid {
  Ball unit;                // the smaller of the two
  std::int64_t stride = 1;  // h in units
  std::int64_t shift = 1;   // the variance in units
  std::int64_t first = 0;
  std::int64_t last = 0;
  Ball step;
  double angle = 0;      // half the width of the strip
  bool rotated = false;  // which of the two bounds of Lemma A4 holds at its edges
  double left = 0;       // the exponents of Lemma A5
  double right = 0;
};

void choose_step(const Problem& p, Grid& grid) {
  const double q = p.q.about(), variance = p.variance.about(), t = static_cast<double>(p.t), reach = p.reach.about();
  double longest = 0;
  constexpr int tried = 400;
  for (int i = 1; i < tried; ++i) {
    const double angle = std::numbers::pi / 2 * i / tried;
    const double growth = reach * angle - q * std::log(std::cos(angle));
    const double step = 2 * std::numbers::pi * angle / (p.wanted + growth);
    if (step > longest) {
      longest = step;
      grid.angle = angle;
    }
  }
  const double turned = std::sqrt(2 * p.wanted * variance / t);
  const double other = 2 * std::numbers::pi * turned / (2 * p.wanted + reach * turned);
  if (other > longest) {
    longest = other;
    grid.angle = turned;
    grid.rotated = true;
  }
  if (longest >= variance) {
    grid.stride = static_cast<std::int64_t>(std::floor(longest / variance));
    grid.unit = p.variance;
  } else {
    grid.shift = static_cast<std::int64_t>(std::ceil(variance / longest));
    grid.unit = p.variance / Ball(grid.shift);
  }
  grid.step = grid.unit * Ball(grid.stride);
}

// What the exponents of Lemma A5 lose if the integrand is multiplied by tau: |tau| <= exp(|tau|).
double loss_of(const Problem& p) { return p.times_tau ? 1 : 0; }

// Lemma A5 with the exponent a > 0 on the left and -a on the right, without the factor exp(-a |tau|) at the last point.
Ball tail_factor(const Problem& p, const Grid& grid, double exponent) {
  const Ball a = exponent;
  const Ball falling = abs(a) - loss_of(p);
  if (!surely_less(0, falling)) return Ball::unknown();
  return largest_gamma_kernel(p.q - a) * largest_moment(p, p.power + a) * grid.step / expm1(falling * grid.step);
}

// Chooses the ends where the tails are negligible, without proof.
void choose_ends(const Problem& p, Grid& grid) {
  const Precision rough(64);
  const double h = grid.step.about(), q = p.q.about();
  const double target = least_log_moment(p) + std::lgamma(q) - p.wanted;
  double left = -HUGE_VAL;
  constexpr int tried = 48;
  for (int i = 1; i <= tried; ++i) {
    // The largest exponent is q itself, for which the power is n.
    const double a = i == tried ? q : std::floor(q * i / tried * 64) / 64;
    if (!(a > loss_of(p))) continue;
    const double end = (target - log(tail_factor(p, grid, a)).about()) / (a - loss_of(p));
    if (end > left) {
      left = end;
      grid.left = a;
    }
  }
  double right = HUGE_VAL;
  for (double a = 2; a < 64 * (p.wanted + q); a = std::ceil(1.15 * a)) {
    const double end = (log(tail_factor(p, grid, -a)).about() - target) / (a - loss_of(p));
    if (end < right) {
      right = end;
      grid.right = a;
    }
  }
  if (!(left < right && right - left < 1e6 * h)) throw NotConverged("random allocation: more than 1e6 points needed");
  grid.first = static_cast<std::int64_t>(std::floor(left / h)) - 1;
  grid.last = static_cast<std::int64_t>(std::ceil(right / h)) + 1;
}

// Lemma A4, relative to the integral, or absolute if the integrand is multiplied by tau.
Ball rule_error(const Problem& p, const Grid& grid) {
  const Ball angle = grid.angle;
  if (!grid.rotated && !surely_less(angle, Ball::pi() / 2)) return Ball::unknown();
  const Ball growth = grid.rotated ? Ball(p.t) * square(angle) / (2 * p.variance) : -p.q * log(cos(angle));
  Ball factor = 2 * exp(growth + p.reach * angle) / expm1(2 * Ball::pi() * angle / grid.step);
  if (!p.times_tau) return factor;
  const Ball moved = grid.rotated ? angle : angle - log(cos(angle));
  const Ball size = gamma_of(p.q + 1) * largest_moment(p, p.power - 1) +
                    gamma_of(p.q - 1) * largest_moment(p, p.power + 1) + moved * gamma_of(p.q);
  return factor * size;
}

// Lemma A5: what the points outside the grid add.
Ball tails(const Problem& p, const Grid& grid) {
  const Ball first = grid.step * Ball(grid.first);
  const Ball last = grid.step * Ball(grid.last);
  if (p.times_tau && !(surely_at_most(first, 0) && surely_at_most(0, last))) return Ball::unknown();
  const Ball left = exp((Ball(grid.left) - loss_of(p)) * first) * tail_factor(p, grid, grid.left);
  const Ball right = exp((loss_of(p) - Ball(grid.right)) * last) * tail_factor(p, grid, -grid.right);
  return left + right;
}

// The values of M on the grid, each computed once.
class TransformOnGrid {
 public:
  TransformOnGrid(const Problem& p, const Grid& grid)
      : unit_(grid.unit),
        log_t_(log(Ball(p.t))),
        transform_(p.variance, position(grid.last * grid.stride + p.derivative * grid.shift).about(),
                   static_cast<long>(p.wanted / std::numbers::ln2)) {}

  const Ball& at(std::int64_t index) {
    const auto [place, fresh] = known_.try_emplace(index);
    if (fresh) place->second = transform_.at(position(index));
    return place->second;
  }

 private:
  Ball position(std::int64_t index) const { return unit_ * Ball(index) - log_t_; }

  Ball unit_;
  Ball log_t_;
  LogNormalTransform transform_;
  std::unordered_map<std::int64_t, Ball> known_;
};

Grid grid_of(const Problem& p) {
  Grid grid;
  choose_step(p, grid);
  choose_ends(p, grid);
  return grid;
}

// The terms of the trapezoidal sum for real powers, at the points of the grid.
std::vector<Ball> terms_of(const Problem& p, const Grid& grid) {
  TransformOnGrid transform(p, grid);
  const auto length = static_cast<std::size_t>(p.derivative) + 1;
  const std::vector<Ball> scaled = scaled_moments(p.variance, length);
  const Ball scale = grid.step * moment_scale(p.derivative, p.t);
  std::vector<Ball> result;
  std::vector<Ball> coefficients(length);
  for (std::int64_t j = grid.first; j <= grid.last; ++j) {
    stop_if_asked();
    for (std::size_t k = 0; k < length; ++k) {
      coefficients[k] = scaled[k] * transform.at(j * grid.stride + static_cast<std::int64_t>(k) * grid.shift);
    }
    result.push_back(scale * exp(p.q * grid.step * Ball(j)) * last_coefficient(coefficients, p.t));
  }
  return result;
}

// The integral of Lemma A3 by the trapezoidal rule, with all its errors.
Ball integral(const Problem& p) {
  const Grid grid = grid_of(p);
  const std::vector<Ball> terms = terms_of(p, grid);
  Ball sum;
  for (std::size_t i = 0; i < terms.size(); ++i) {
    sum += p.times_tau ? grid.step * Ball(grid.first + static_cast<std::int64_t>(i)) * terms[i] : terms[i];
  }
  sum.widen(tails(p, grid));
  const Ball error = rule_error(p, grid);
  if (p.times_tau) return sum.widen(error);
  if (!surely_less(error, 0.5)) throw NotConverged("random allocation: no step reaches the accuracy asked for");
  // |sum - integral| <= error * integral
  return sum.widen(error * abs(sum) / (1 - error));
}

Problem problem_of(const AllocatedGaussian& epoch, const Ball& power, std::int64_t derivative, long bits) {
  if (derivative > most_derivatives) {
    throw NotConverged("certified random allocation: the direction remove beyond order " +
                       std::to_string(most_derivatives - 10));
  }
  Problem p{.t = epoch.steps,
            .variance = square(Ball(epoch.sensitivity) / epoch.stddev),
            .power = power,
            .derivative = derivative,
            .q = Ball(derivative) - power};
  p.moments = whole_moments(p.variance, p.t, static_cast<std::size_t>(derivative) + 1);
  p.wanted = static_cast<double>(bits) * std::numbers::ln2;
  return p;
}

// The rule neglects this part of the integral, fewer bits than the arithmetic has: figures are stated with relative
// errors of 1e-15, and if the logarithm of the integral is small, the precision is doubled.
long rule_bits(long bits) { return bits * 5 / 8; }

// The smallest derivative with q >= 6, or at least one more and q >= 9 for a verifier. A small q has a long tail on the
// left.
std::int64_t derivative_for(const Ball& power, Route route) {
  constexpr double first_q = 6, second_q = 9;
  const bool first = route == Route::first;
  const double least = std::ceil(power.about() + (first ? first_q : second_q));
  return std::max(static_cast<std::int64_t>(least), std::int64_t{first ? 0 : 1});
}

}  // namespace
}  // namespace allocation_moment_file

Ball trapezoid_log_moment(const AllocatedGaussian& epoch, Direction direction, const Ball& z, Route route) {
  namespace file = allocation_moment_file;
  constexpr double farthest = 1e4;
  if (!(z.about() <= farthest)) throw NotConverged("certified random allocation: beyond order 1e4");
  Ball power = -z;
  if (direction == Direction::remove) arb_add_si(power.raw(), z.raw(), 1, ARF_PREC_EXACT);
  const std::int64_t derivative = file::derivative_for(power, route);
  const long bits = Precision::bits();
  const Precision guarded(bits + file::guard_bits(epoch.steps, derivative));
  const file::Problem p = file::problem_of(epoch, power, derivative, file::rule_bits(bits));
  return log(file::integral(p) / file::gamma_of(p.q));
}

// Lemma A6: E[R ln R] with p = 1, and E[-ln R] with p = 0.
Ball trapezoid_mean_loss(const AllocatedGaussian& epoch, Direction direction, Route route) {
  namespace file = allocation_moment_file;
  const bool remove = direction == Direction::remove;
  const Ball power = remove ? 1 : 0;
  const std::int64_t derivative = file::derivative_for(power, route);
  const long bits = Precision::bits();
  const Precision guarded(bits + file::guard_bits(epoch.steps, derivative));
  file::Problem p = file::problem_of(epoch, power, derivative, file::rule_bits(bits));
  p.times_tau = true;
  const Ball mean = file::integral(p) / file::gamma_of(p.q) - file::digamma_of(p.q);
  return remove ? -mean : mean;
}

namespace allocation_moment_file {
namespace {

Complex gamma_of(const Complex& z) {
  Complex result;
  acb_gamma(result.raw(), z.raw(), Precision::bits());
  return result;
}

// Estimates ln Gamma(q) - ln |Gamma(q + iy)|: what the division by the gamma function costs.
double log_gamma_fall(double q, double y) {
  const Precision rough(64);
  Complex value;
  acb_lgamma(value.raw(), Complex(q, y).raw(), Precision::bits());
  return std::lgamma(q) - value.real().about();
}

// Lines need derivatives that are higher the longer they are: the range on the left is wanted/q.
std::int64_t derivative_on_line(double power, double wanted) {
  constexpr double least_q = 6, range = 12;
  return std::max(static_cast<std::int64_t>(std::ceil(power + std::max(least_q, wanted / range))), std::int64_t{0});
}

struct LineProblem {
  Problem problem;
  long bits = 0;
};

LineProblem problem_on_line(const AllocatedGaussian& epoch, Direction direction, const Ball& c, const Ball& reach,
                            long bits, long most_precision) {
  const Ball power = direction == Direction::remove ? 1 + c : -c;
  const double y = reach.about(), least = static_cast<double>(bits) * std::numbers::ln2;
  double wanted = least + std::numbers::pi * y / 2;
  const std::int64_t derivative = derivative_on_line(power.about(), wanted);
  wanted = least + log_gamma_fall(static_cast<double>(derivative) - power.about(), y);
  const long rule = static_cast<long>(std::ceil(wanted / std::numbers::ln2));
  const long precision = rule + guard_bits(epoch.steps, derivative);
  const Precision guarded(std::min(precision, most_precision));
  LineProblem line{problem_of(epoch, power, derivative, rule), precision};
  line.problem.reach = reach;
  return line;
}

// A row of complex balls that Arb can sum at once.
class Turns {
 public:
  explicit Turns(std::size_t size) : size_(static_cast<slong>(size)), balls_(_acb_vec_init(size_)) {}
  ~Turns() { _acb_vec_clear(balls_, size_); }
  Turns(const Turns&) = delete;
  Turns& operator=(const Turns&) = delete;

  acb_ptr at(std::size_t i) { return balls_ + i; }
  Complex dot(const Turns& other) const {
    Complex sum;
    acb_dot(sum.raw(), nullptr, 0, balls_, 1, other.balls_, 1, size_, Precision::bits());
    return sum;
  }

  // Sets the entry i to exp(i angle (first + i)): products of two tables, so that boxes are turned once.
  void set(const Ball& angle, std::int64_t first) {
    const auto block = static_cast<std::size_t>(std::ceil(std::sqrt(static_cast<double>(size_))));
    Turns small(block), large(block);
    for (std::size_t i = 0; i < block; ++i) {
      const auto k = static_cast<std::int64_t>(i);
      turn(small.at(i), angle * Ball(k));
      turn(large.at(i), angle * Ball(first + k * static_cast<std::int64_t>(block)));
    }
    for (std::size_t i = 0; i < static_cast<std::size_t>(size_); ++i)
      acb_mul(at(i), large.at(i / block), small.at(i % block), Precision::bits());
  }

 private:
  static void turn(acb_ptr result, const Ball& angle) {
    arb_sin_cos(acb_imagref(result), acb_realref(result), angle.raw(), Precision::bits());
  }

  slong size_;
  acb_ptr balls_;
};

}  // namespace
}  // namespace allocation_moment_file

std::vector<Complex> allocated_moments(const AllocatedGaussian& epoch, Direction direction, const Ball& c,
                                       const Ball& spacing, long points, long bits) {
  namespace file = allocation_moment_file;
  const Ball reach = abs(spacing) * Ball(std::int64_t{points - 1});
  const file::LineProblem line =
      file::problem_on_line(epoch, direction, c, reach, bits, std::numeric_limits<long>::max());
  const Precision working(line.bits);
  const file::Problem& p = line.problem;
  const file::Grid grid = file::grid_of(p);
  const std::vector<Ball> terms = file::terms_of(p, grid);
  file::Turns masses(terms.size()), turns(terms.size());
  Ball whole;
  for (std::size_t i = 0; i < terms.size(); ++i) {
    arb_set(acb_realref(masses.at(i)), terms[i].raw());
    whole += terms[i];
  }
  // Lemma A8: all errors are relative to the integral at the real power.
  const Ball rule = file::rule_error(p, grid), tail = file::tails(p, grid);
  if (!surely_less(rule, 0.5)) throw NotConverged("random allocation: no step reaches the accuracy asked for");
  const Ball error = tail + rule * (whole + tail) / (1 - rule);
  const Ball sign = direction == Direction::remove ? 1 : -1;
  std::vector<Complex> result;
  for (std::int64_t k = 0; k < points; ++k) {
    stop_if_asked();
    const Ball y = sign * spacing * Ball(k);
    if (k > 0) turns.set(-y * grid.step, grid.first);
    Complex sum = k > 0 ? masses.dot(turns) : Complex(whole);
    if (k > 0) sum.widen(error);
    if (k == 0) sum = Complex(whole.widen(error));
    result.push_back(sum / file::gamma_of(Complex(p.q, -y)));
  }
  return result;
}

double allocated_work(const AllocatedGaussian& epoch, Direction direction, const Ball& c, const Ball& spacing,
                      double points, long bits) {
  namespace file = allocation_moment_file;
  constexpr double for_bit = 20, for_product = 0.5, for_point = 3, usual_bits = 512;
  try {
    const file::LineProblem line =
        file::problem_on_line(epoch, direction, c, abs(spacing) * Ball(points), bits, Precision::bits());
    const file::Grid grid = file::grid_of(line.problem);
    const auto nodes = static_cast<double>(grid.last - grid.first + 1);
    const auto n = static_cast<double>(line.problem.derivative), working = static_cast<double>(line.bits);
    const double series = for_product * n * n * std::log2(static_cast<double>(epoch.steps));
    return std::max(1.0, working / usual_bits * (working / usual_bits)) * nodes *
           (for_bit * working + series + for_point * points);
  } catch (const NotConverged&) {
    return HUGE_VAL;
  }
}

}  // namespace renyi::certify
