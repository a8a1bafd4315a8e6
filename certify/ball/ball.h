// Real and complex balls: a midpoint and a radius such that the ball contains the exact value, whatever the rounding.
// The classes are thin owners of Arb's types.
//
// Every operation rounds to the working precision of its thread, which a `Precision` on the stack sets:
//
//     const Precision bits(128);
//     const Ball a = exp(-square(x) / 2);
#pragma once

#include <cstdint>
#include <string>

#include "renyi/extras/certify.h"

// Arb was a separate library up to version 2.23, and is part of FLINT from 3.0 on.
#if __has_include(<flint/arb.h>)
#include <flint/acb.h>
#include <flint/acb_calc.h>
#include <flint/acb_dft.h>
#include <flint/acb_hypgeom.h>
#include <flint/arb.h>
#include <flint/arb_hypgeom.h>
#include <flint/arb_poly.h>
#else
#include <acb.h>
#include <acb_calc.h>
#include <acb_dft.h>
#include <acb_hypgeom.h>
#include <arb.h>
#include <arb_hypgeom.h>
#include <arb_poly.h>
#endif

namespace renyi::certify {

// Sets the working precision of this thread while the object exists.
class Precision {
 public:
  explicit Precision(long bits) noexcept;
  ~Precision();
  Precision(const Precision&) = delete;
  Precision& operator=(const Precision&) = delete;

  static long bits() noexcept;

 private:
  long before_;
};

class Ball {
 public:
  Ball() { arb_init(ball_); }  // NOLINT(cppcoreguidelines-pro-type-member-init): arb_init does
  Ball(double value) : Ball() { arb_set_d(ball_, value); }         // NOLINT(google-explicit-constructor): exact
  Ball(std::int64_t value) : Ball() { arb_set_si(ball_, value); }  // NOLINT(google-explicit-constructor): exact
  Ball(int value) : Ball() { arb_set_si(ball_, value); }           // NOLINT(google-explicit-constructor): exact
  Ball(const Ball& other) : Ball() { arb_set(ball_, other.ball_); }
  Ball(Ball&& other) noexcept : Ball() { arb_swap(ball_, other.ball_); }
  Ball& operator=(const Ball& other);
  Ball& operator=(Ball&& other) noexcept;
  ~Ball() { arb_clear(ball_); }

  static Ball pi();
  static Ball infinity();
  // A value about which nothing is known: the ball contains every number, and no comparison with it is certain.
  static Ball unknown();
  // Returns a ball that contains everything between the two, and a little more, because a radius has 30 bits.
  static Ball hull(const Ball& low, const Ball& high);

  arb_ptr raw() noexcept { return ball_; }
  arb_srcptr raw() const noexcept { return ball_; }

  Ball& operator+=(const Ball& other);
  Ball& operator-=(const Ball& other);
  Ball& operator*=(const Ball& other);
  Ball& operator/=(const Ball& other);

  // Increases the radius by the largest value `error` may have.
  Ball& widen(const Ball& error);

  bool is_finite() const noexcept { return arb_is_finite(ball_) != 0; }
  // Returns true for plus infinity itself; an unknown ball is not infinite.
  bool is_infinite() const noexcept { return arf_is_pos_inf(arb_midref(ball_)) != 0; }
  // Return the endpoints as exact balls, and the midpoint.
  Ball lower() const;
  Ball upper() const;
  Ball middle() const;
  // Returns a double close to the midpoint, for searches and never for bounds.
  double about() const noexcept;
  // Returns the radius divided by the smallest modulus in the ball; infinite if the ball contains zero.
  double relative_radius() const;

 private:
  arb_t ball_;
};

Ball operator+(const Ball& a, const Ball& b);
Ball operator-(const Ball& a, const Ball& b);
Ball operator*(const Ball& a, const Ball& b);
Ball operator/(const Ball& a, const Ball& b);
Ball operator-(const Ball& a);

Ball exp(const Ball& x);
Ball expm1(const Ball& x);
Ball log(const Ball& x);
Ball log1p(const Ball& x);
Ball sqrt(const Ball& x);
Ball square(const Ball& x);
Ball abs(const Ball& x);
Ball sin(const Ball& x);
Ball cos(const Ball& x);
Ball erfc(const Ball& x);
Ball pow(const Ball& x, const Ball& power);
Ball max(const Ball& a, const Ball& b);
Ball min(const Ball& a, const Ball& b);
// The standard normal distribution: mass below x and mass above x, both with relative accuracy.
Ball normal_below(const Ball& x);
Ball normal_above(const Ball& x);

// Returns true only if proven for every pair of points of the two balls.
bool surely_less(const Ball& a, const Ball& b) noexcept;
bool surely_at_most(const Ball& a, const Ball& b) noexcept;
bool overlap(const Ball& a, const Ball& b) noexcept;
bool contains(const Ball& outer, const Ball& inner) noexcept;

class Complex {
 public:
  Complex() { acb_init(ball_); }  // NOLINT(cppcoreguidelines-pro-type-member-init): acb_init does
  Complex(const Ball& real, const Ball& imaginary = Ball());  // NOLINT(google-explicit-constructor): the real line
  Complex(const Complex& other) : Complex() { acb_set(ball_, other.ball_); }
  Complex(Complex&& other) noexcept : Complex() { acb_swap(ball_, other.ball_); }
  Complex& operator=(const Complex& other);
  Complex& operator=(Complex&& other) noexcept;
  ~Complex() { acb_clear(ball_); }

  acb_ptr raw() noexcept { return ball_; }
  acb_srcptr raw() const noexcept { return ball_; }
  Ball real() const;
  Ball imaginary() const;

  Complex& operator+=(const Complex& other);
  Complex& operator-=(const Complex& other);
  Complex& operator*=(const Complex& other);
  Complex& operator/=(const Complex& other);
  // Increases both radii by the largest value `error` may have.
  Complex& widen(const Ball& error);

 private:
  acb_t ball_;
};

Complex operator+(const Complex& a, const Complex& b);
Complex operator-(const Complex& a, const Complex& b);
Complex operator*(const Complex& a, const Complex& b);
Complex operator/(const Complex& a, const Complex& b);
Complex exp(const Complex& z);
Complex log(const Complex& z);
Ball abs(const Complex& z);

// Returns the ball's endpoints, rounded outwards to `bits` bits (0: unchanged).
Enclosure enclosure_of(const Ball& ball, long bits = 0);
Ball ball_of(const Dyadic& end);

}  // namespace renyi::certify
