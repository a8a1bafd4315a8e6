// The contour integral in its parts: the line, the composed moments at its points, the law; and Chernoff's bound.
#pragma once

#include <memory>
#include <vector>

#include "certify/exact/law.h"

namespace renyi::certify {

// Where a contour runs and how its points are spaced: chosen in doubles, proven later.
struct Line {
  double c = 1;
  double spacing = 1;   // h; copies of delta lie 2 pi/h apart
  double rival = 2;     // c' > c, where the copies above are bounded
  double log_size = 0;  // K(c) - c epsilon - ln delta, about: the integrand over the integral
  double spread = 1;    // standard deviation of the loss tilted by c
};

// The copies stay below `tolerance` of delta.
Line choose_line(const Steps& steps, Direction direction, const OperatingPoint& operating_point, double tolerance,
                 Route route);

// The composed moments at the points of a line.
struct LineMoments {
  std::vector<Complex> phi;  // exp(K(c + ijh) - K(c))
  Ball log_moment;           // K(c)
  Ball lost;                 // the sum of |phi|/|z (z+1)| over points whose phase is not known; their phi above is 0
  long bits = 0;             // the working precision
};

// Accurate to about exp(-digits), whatever the counts.
LineMoments moments_on_line(const Steps& steps, Direction direction, const Line& line, long points, double digits);
// K at a real point, within about exp(-digits).
Ball log_moment_at(const Steps& steps, Direction direction, double c, double digits);

// What that costs, about, in products of balls.
double work(const Steps& steps, Direction direction, const Line& line, double points, double digits);

// In products of balls; the usual budget is about three seconds.
constexpr double usual_work = 1.2e7;
// contour_law with a budget of one's own.
std::unique_ptr<Law> contour_law_within(double most_work, const Steps& steps, Direction direction,
                                        const OperatingPoint& operating_point, double tolerance, Route route);

// On a line of one's own, from the moments at its first points; `log_rival` is K(c'), and `beyond` bounds what the
// later points amount to, relative to exp(K(c) - c epsilon).
std::unique_ptr<Law> contour_law_on(const Line& line, const LineMoments& moments, const Ball& log_rival,
                                    const Ball& beyond);

// What is left where no other law serves: a bound from above, and 0 from below.
std::unique_ptr<Law> chernoff_law(const Steps& steps, Direction direction, const OperatingPoint& operating_point);

}  // namespace renyi::certify
