#include "certify/exact/decay.h"

#include "certify/exact/sampled_decay.h"
#include "certify/mechanism/closed_form.h"
#include "certify/random_allocation/moment.h"
#include "renyi/limits.h"

namespace renyi::certify {
namespace decay_file {
namespace {

constexpr int samples = 64;

// The extreme losses as tilted atoms: their masses times E[exp(cL)].
struct Ends {
  Ball up;
  Ball down;
};

// Supports losses within [-e, e] whose moments have a closed form: Laplace, randomized response.
class BoundedDecay final : public Decay {
 public:
  BoundedDecay(const Mechanism& mechanism, Direction direction, const Ball& c)
      : mechanism_(mechanism), direction_(direction), c_(c), whole_(moment(mechanism, direction, Complex(c)).real()) {
    if (const auto laplace = mechanism.get_if<Laplace>()) {
      is_laplace_ = true;
      largest_ = largest_loss(*laplace);
      ends_ = {exp(c * largest_) / 2, exp(-(c + 1) * largest_) / 2};
    } else if (const auto law = two_sided(mechanism)) {
      largest_ = law->loss;
      ends_ = {law->high * exp(c * law->loss), law->low * exp(-c * law->loss)};
    }
  }

  Ball within(const Ball& y, const Ball& ratio) const override {
    const Ball far = beyond(y);
    const Ball near = surely_at_most(2 * largest_ * ratio * y, Ball::pi()) ? by_ends(y) : by_samples(y, ratio);
    return useful(min(far, near));
  }

  // Lemma K6: with z = c + iy, |z+1|/|2z+1| decreases and |z|/|2z+1| < 1/2.
  Ball beyond(const Ball& y) const override {
    if (!is_laplace_) return 0;
    const Ball up = sqrt((square(c_ + 1) + square(y)) / (square(2 * c_ + 1) + 4 * square(y)));
    return useful(log((2 * up * ends_.up + ends_.down) / whole_));
  }

 private:
  // Applies Lemma K5 with one bucket and its two endpoints.
  Ball by_ends(const Ball& y) const {
    const Ball gain = 16 * square(largest_ * y / Ball::pi()) * ends_.up * ends_.down / square(whole_);
    return useful(log1p(-gain) / 2);
  }

  // Lemma K7: |phi| changes by at most E|L| <= e per unit of y.
  Ball by_samples(const Ball& y, const Ball& ratio) const {
    const Ball half = (ratio - 1) * y / (2 * samples);
    Ball largest(0);
    for (int i = 0; i < samples; ++i) {
      stop_if_asked();
      const Complex z(c_, y + half * (2 * i + 1));
      largest = max(largest, abs(moment(mechanism_, direction_, z)));
    }
    return useful(log(largest / whole_ + half * largest_));
  }

  Mechanism mechanism_;
  Direction direction_;
  Ball c_;
  Ball whole_;
  Ball largest_;
  Ends ends_;
  bool is_laplace_ = false;
};

// The loss is N(rate, 2 rate), and tilting changes only its mean: |phi(y)| = exp(-rate y^2).
class GaussianDecay final : public Decay {
 public:
  explicit GaussianDecay(Ball rate) : rate_(std::move(rate)) {}
  Ball within(const Ball& y, const Ball&) const override { return beyond(y); }
  Ball beyond(const Ball& y) const override { return useful(-rate_ * square(y)); }

 private:
  Ball rate_;
};

}  // namespace
}  // namespace decay_file

Ball useful(const Ball& bound) {
  const Ball above = bound.upper();
  return surely_less(above, 0) ? above : Ball(0);
}

std::unique_ptr<Decay> decay_of(const Mechanism& mechanism, Direction direction, const Ball& c) {
  if (is_trivial(mechanism)) return std::make_unique<decay_file::GaussianDecay>(0);
  if (const auto rate = gaussian_rate(mechanism)) return std::make_unique<decay_file::GaussianDecay>(*rate);
  // Lemma A9: the bound is that of a normal loss of variance 1/(t s^2).
  if (const auto epoch = allocated_gaussian(mechanism)) {
    const Ball variance = square(Ball(epoch->sensitivity) / epoch->stddev);
    return std::make_unique<decay_file::GaussianDecay>(variance / (2 * Ball(epoch->steps)));
  }
  if (const auto sampled = mechanism.get_if<SampledGaussian>()) return sampled_gaussian_decay(*sampled, direction, c);
  return std::make_unique<decay_file::BoundedDecay>(mechanism, direction, c);
}

namespace decay_file {
namespace {

constexpr int most_zones = 120;
// Zones are wide where the bound is far below what is needed, and narrow elsewhere.
constexpr double ratios[] = {2, 1.4, 1.12, 1.03};

}  // namespace
}  // namespace decay_file

Truncation::Truncation(const Steps& steps, Direction direction, const Ball& c) : c_(c) {
  for (const CountedMechanism& step : steps) {
    parts_.push_back({decay_of(step.mechanism, direction, c), Ball(step.count)});
  }
}

// Lemma K10: at most (ratio-1) y/h + 1 points lie in (y, ratio y], each with |z (z+1)| at least that at y.
Ball Truncation::zone(const Ball& y, const Ball& ratio, const Ball& spacing) const {
  Ball log_phi(0);
  for (const Part& part : parts_) log_phi += part.count * part.decay->within(y, ratio);
  const Ball kernel = sqrt((square(c_) + square(y)) * (square(c_ + 1) + square(y)));
  return exp(log_phi) * ((ratio - 1) * y + spacing) / (Ball::pi() * kernel);
}

// Lemma K10: h times the sum over y_j > y of 1/y_j^2 is at most 1/y + h/y^2.
Ball Truncation::rest(const Ball& y, const Ball& spacing) const {
  Ball log_phi(0);
  for (const Part& part : parts_) log_phi += part.count * part.decay->beyond(y);
  return exp(log_phi) * (1 / y + spacing / square(y)) / Ball::pi();
}

LeftOut Truncation::beyond(const Ball& from, const Ball& spacing, const Ball& limit) const {
  Ball y = from.lower();
  Ball total(0);
  for (int i = 0; i < decay_file::most_zones; ++i) {
    stop_if_asked();
    const Ball all = rest(y, spacing);
    if (surely_at_most(all, limit / 4)) return {total + all, 0};
    Ball part = Ball::infinity();
    Ball ratio;
    for (const double candidate : decay_file::ratios) {
      ratio = candidate;
      part = zone(y, ratio, spacing);
      if (surely_at_most(part, limit / 8)) break;
    }
    total += part;
    if (!surely_at_most(total, limit)) break;
    y = (y * ratio).lower();
  }
  return {Ball::infinity(), y.about()};
}

}  // namespace renyi::certify
