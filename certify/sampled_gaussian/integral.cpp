#include "certify/sampled_gaussian/integral.h"

#include "renyi/limits.h"

namespace renyi::certify {
namespace integral_file {
namespace {

// The constants of an integrand, computed once for all points.
struct Prepared {
  explicit Prepared(const Integrand& integrand)
      : log_q(log(Ball(integrand.mechanism.sampling_rate))),
        log_rest(log1p(-Ball(integrand.mechanism.sampling_rate))),
        twice_variance(2 * square(Ball(integrand.mechanism.noise_multiplier))),
        exponent(integrand.exponent),
        log_lower(exponent * log_rest - log(Ball::pi() * twice_variance) / 2),
        log_upper(exponent * (log_q + (exponent - 1) / twice_variance) - log(Ball::pi() * twice_variance) / 2),
        times_log(integrand.times_log) {}

  Ball log_q;
  Ball log_rest;
  Ball twice_variance;
  Ball exponent;
  Ball log_lower;  // the constants of the two forms below
  Ball log_upper;
  bool times_log;
};

// Lemma C4: with t = u + ln q - ln(1-q),
//     ln r = ln(1-q) + ln(1 + exp(t)) = ln q + u + ln(1 + exp(-t)).
// Both forms are analytic where the logarithm's argument is off its branch cut, and equal on the real line. Far from
// t = 0 one of them is analytic on wide balls. The same holds for e ln r - x^2/(2 s^2) with the square completed, which
// keeps the results on wide balls narrow:
//     e ln(1-q) - x^2/(2 s^2) + e ln(1 + exp(t)) = e ln q + (e^2-e)/(2 s^2) - (x-e)^2/(2 s^2) + e ln(1 + exp(-t)).
Complex value_at(const Prepared& p, const Complex& x, bool analytic) {
  const Complex shifted = (x + x - Complex(1)) / Complex(p.twice_variance) + Complex(p.log_q);
  const Complex t = shifted - Complex(p.log_rest);
  const bool above = t.real().about() > 0;
  const Complex sum = Complex(1) + exp(above ? Complex(0) - t : t);
  Complex log_sum;
  acb_log_analytic(log_sum.raw(), sum.raw(), analytic ? 1 : 0, Precision::bits());
  const Complex from_peak = above ? x - Complex(p.exponent) : x;
  Complex square;
  acb_sqr(square.raw(), from_peak.raw(), Precision::bits());
  const Complex value = exp(log_sum * Complex(p.exponent) - square / Complex(p.twice_variance) +
                            Complex(above ? p.log_upper : p.log_lower));
  return p.times_log ? value * (log_sum + (above ? shifted : Complex(p.log_rest))) : value;
}

// Arb's convention: with order != 0 the answer must be non-finite unless the integrand is analytic on all of x.
int evaluate(acb_ptr result, const acb_t x, void* prepared, slong order, slong bits) {
  const Precision precision(bits);
  Complex at;
  acb_set(at.raw(), x);
  const Complex value = value_at(*static_cast<const Prepared*>(prepared), at, order != 0);
  acb_set(result, value.raw());
  return 0;
}

// A tolerance of 2^-bits times the scale.
class Tolerance {
 public:
  Tolerance(const Ball& scale, long bits) {
    mag_init(size_);
    arb_get_mag(size_, scale.raw());
    mag_mul_2exp_si(size_, size_, -bits);
  }
  ~Tolerance() { mag_clear(size_); }
  Tolerance(const Tolerance&) = delete;
  Tolerance& operator=(const Tolerance&) = delete;
  mag_srcptr raw() const noexcept { return size_; }

 private:
  mag_t size_{};
};

}  // namespace
}  // namespace integral_file

Ball integral(const Integrand& integrand, const Ball& a, const Ball& b, const Ball& scale) {
  const long bits = Precision::bits();
  integral_file::Prepared prepared(integrand);
  const integral_file::Tolerance tolerance(scale, bits);
  const Complex from(a);
  const Complex to(b);
  Complex result;
  acb_calc_integrate(result.raw(), integral_file::evaluate, &prepared, from.raw(), to.raw(), bits, tolerance.raw(),
                     nullptr, bits);
  return result.real();
}

Ball integral_over_windows(const Integrand& integrand, const std::vector<Ball>& centres, const Ball& half_width,
                           const Ball& scale) {
  Ball sum;
  Ball from;
  Ball to;
  const auto piece = [&](const Ball& end) {
    if (!surely_less(from, end)) return;
    sum += integral(integrand, from, end, scale);
    from = end;
  };
  for (std::size_t i = 0; i < centres.size(); ++i) {
    stop_if_asked();
    arb_sub(from.raw(), centres[i].raw(), half_width.raw(), ARF_PREC_EXACT);
    if (i > 0 && surely_less(from, to)) from = to;
    arb_add(to.raw(), centres[i].raw(), half_width.raw(), ARF_PREC_EXACT);
    piece(centres[i]);
    piece(to);
  }
  return sum;
}

}  // namespace renyi::certify
