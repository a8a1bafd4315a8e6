#include "certify/ball/ball.h"

namespace renyi::certify {
namespace ball_file {
namespace {

thread_local long working_bits = 128;

template <class Op>
Ball unary(Op op, const Ball& x) {
  Ball result;
  op(result.raw(), x.raw(), working_bits);
  return result;
}

template <class Op>
Ball binary(Op op, const Ball& a, const Ball& b) {
  Ball result;
  op(result.raw(), a.raw(), b.raw(), working_bits);
  return result;
}

template <class Op>
Complex binary(Op op, const Complex& a, const Complex& b) {
  Complex result;
  op(result.raw(), a.raw(), b.raw(), working_bits);
  return result;
}

}  // namespace
}  // namespace ball_file

Precision::Precision(long bits) noexcept : before_(ball_file::working_bits) { ball_file::working_bits = bits; }
Precision::~Precision() { ball_file::working_bits = before_; }
long Precision::bits() noexcept { return ball_file::working_bits; }

Ball& Ball::operator=(const Ball& other) {
  arb_set(ball_, other.ball_);
  return *this;
}
Ball& Ball::operator=(Ball&& other) noexcept {
  arb_swap(ball_, other.ball_);
  return *this;
}

Ball Ball::pi() {
  Ball result;
  arb_const_pi(result.raw(), ball_file::working_bits);
  return result;
}
Ball Ball::infinity() {
  Ball result;
  arb_pos_inf(result.raw());
  return result;
}
Ball Ball::unknown() {
  Ball result;
  arb_indeterminate(result.raw());
  return result;
}
Ball Ball::hull(const Ball& low, const Ball& high) { return ball_file::binary(arb_union, low, high); }

Ball& Ball::operator+=(const Ball& other) {
  arb_add(ball_, ball_, other.ball_, ball_file::working_bits);
  return *this;
}
Ball& Ball::operator-=(const Ball& other) {
  arb_sub(ball_, ball_, other.ball_, ball_file::working_bits);
  return *this;
}
Ball& Ball::operator*=(const Ball& other) {
  arb_mul(ball_, ball_, other.ball_, ball_file::working_bits);
  return *this;
}
Ball& Ball::operator/=(const Ball& other) {
  arb_div(ball_, ball_, other.ball_, ball_file::working_bits);
  return *this;
}
Ball& Ball::widen(const Ball& error) {
  arb_add_error(ball_, error.ball_);
  return *this;
}

Ball Ball::lower() const {
  Ball end;
  arb_get_lbound_arf(arb_midref(end.raw()), ball_, ball_file::working_bits);
  return end;
}
Ball Ball::upper() const {
  Ball end;
  arb_get_ubound_arf(arb_midref(end.raw()), ball_, ball_file::working_bits);
  return end;
}
Ball Ball::middle() const {
  Ball middle;
  arb_get_mid_arb(middle.raw(), ball_);
  return middle;
}
double Ball::about() const noexcept { return arf_get_d(arb_midref(ball_), ARF_RND_NEAR); }

double Ball::relative_radius() const {
  if (!is_finite()) return D_INF;
  Ball modulus;
  arb_get_abs_lbound_arf(arb_midref(modulus.raw()), ball_, 30);
  Ball radius;
  arb_get_rad_arb(radius.raw(), ball_);
  if (arb_is_zero(radius.raw())) return 0;
  if (arb_is_zero(modulus.raw())) return D_INF;
  Ball ratio;
  arb_div(ratio.raw(), radius.raw(), modulus.raw(), 30);
  mag_t above;
  mag_init(above);
  arb_get_mag(above, ratio.raw());
  const double result = mag_get_d(above);
  mag_clear(above);
  return result;
}

Ball operator+(const Ball& a, const Ball& b) { return ball_file::binary(arb_add, a, b); }
Ball operator-(const Ball& a, const Ball& b) { return ball_file::binary(arb_sub, a, b); }
Ball operator*(const Ball& a, const Ball& b) { return ball_file::binary(arb_mul, a, b); }
Ball operator/(const Ball& a, const Ball& b) { return ball_file::binary(arb_div, a, b); }
Ball operator-(const Ball& a) {
  Ball result;
  arb_neg(result.raw(), a.raw());
  return result;
}

Ball exp(const Ball& x) { return ball_file::unary(arb_exp, x); }
Ball expm1(const Ball& x) { return ball_file::unary(arb_expm1, x); }
Ball log(const Ball& x) { return ball_file::unary(arb_log, x); }
Ball log1p(const Ball& x) { return ball_file::unary(arb_log1p, x); }
Ball sqrt(const Ball& x) { return ball_file::unary(arb_sqrt, x); }
Ball square(const Ball& x) { return ball_file::unary(arb_sqr, x); }
Ball sin(const Ball& x) { return ball_file::unary(arb_sin, x); }
Ball cos(const Ball& x) { return ball_file::unary(arb_cos, x); }
Ball erfc(const Ball& x) { return ball_file::unary(arb_hypgeom_erfc, x); }
Ball pow(const Ball& x, const Ball& power) { return ball_file::binary(arb_pow, x, power); }
Ball max(const Ball& a, const Ball& b) { return ball_file::binary(arb_max, a, b); }
Ball min(const Ball& a, const Ball& b) { return ball_file::binary(arb_min, a, b); }
Ball abs(const Ball& x) {
  Ball result;
  arb_abs(result.raw(), x.raw());
  return result;
}

Ball normal_above(const Ball& x) { return erfc(x / sqrt(Ball(2))) / 2; }
Ball normal_below(const Ball& x) { return normal_above(-x); }

bool surely_less(const Ball& a, const Ball& b) noexcept { return arb_lt(a.raw(), b.raw()) != 0; }
bool surely_at_most(const Ball& a, const Ball& b) noexcept { return arb_le(a.raw(), b.raw()) != 0; }
bool overlap(const Ball& a, const Ball& b) noexcept { return arb_overlaps(a.raw(), b.raw()) != 0; }
bool contains(const Ball& outer, const Ball& inner) noexcept { return arb_contains(outer.raw(), inner.raw()) != 0; }

Complex::Complex(const Ball& real, const Ball& imaginary) : Complex() {
  acb_set_arb_arb(ball_, real.raw(), imaginary.raw());
}
Complex& Complex::operator=(const Complex& other) {
  acb_set(ball_, other.ball_);
  return *this;
}
Complex& Complex::operator=(Complex&& other) noexcept {
  acb_swap(ball_, other.ball_);
  return *this;
}
Ball Complex::real() const {
  Ball part;
  acb_get_real(part.raw(), ball_);
  return part;
}
Ball Complex::imaginary() const {
  Ball part;
  acb_get_imag(part.raw(), ball_);
  return part;
}
Complex& Complex::operator+=(const Complex& other) {
  acb_add(ball_, ball_, other.ball_, ball_file::working_bits);
  return *this;
}
Complex& Complex::operator-=(const Complex& other) {
  acb_sub(ball_, ball_, other.ball_, ball_file::working_bits);
  return *this;
}
Complex& Complex::operator*=(const Complex& other) {
  acb_mul(ball_, ball_, other.ball_, ball_file::working_bits);
  return *this;
}
Complex& Complex::operator/=(const Complex& other) {
  acb_div(ball_, ball_, other.ball_, ball_file::working_bits);
  return *this;
}
Complex& Complex::widen(const Ball& error) {
  arb_add_error(acb_realref(ball_), error.raw());
  arb_add_error(acb_imagref(ball_), error.raw());
  return *this;
}

Complex operator+(const Complex& a, const Complex& b) { return ball_file::binary(acb_add, a, b); }
Complex operator-(const Complex& a, const Complex& b) { return ball_file::binary(acb_sub, a, b); }
Complex operator*(const Complex& a, const Complex& b) { return ball_file::binary(acb_mul, a, b); }
Complex operator/(const Complex& a, const Complex& b) { return ball_file::binary(acb_div, a, b); }
Complex exp(const Complex& z) {
  Complex result;
  acb_exp(result.raw(), z.raw(), ball_file::working_bits);
  return result;
}
Complex log(const Complex& z) {
  Complex result;
  acb_log(result.raw(), z.raw(), ball_file::working_bits);
  return result;
}
Ball abs(const Complex& z) {
  Ball result;
  acb_abs(result.raw(), z.raw(), ball_file::working_bits);
  return result;
}

}  // namespace renyi::certify

namespace renyi {

bool can_certify() noexcept { return true; }

// FLINT 3 includes Arb, with one version for both.
#ifdef ARB_VERSION
std::string_view arb_version_used() noexcept { return arb_version; }
#else
std::string_view arb_version_used() noexcept { return flint_version; }
#endif

}  // namespace renyi
