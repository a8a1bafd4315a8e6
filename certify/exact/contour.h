// The components of the contour integral: the line, the composed moments at its points, and delta; also Chernoff's
// bound.
#pragma once

#include <memory>
#include <vector>

#include "certify/exact/law.h"

namespace renyi::certify {

// The position of a contour and the spacing of its points. They are chosen in doubles; the errors are proven later.
struct Line {
  double c = 1;
  double spacing = 1;   // h; copies of delta lie at a distance of 2 pi/h
  double rival = 2;     // c' > c, at which the copies above are bounded
  double log_size = 0;  // an estimate of K(c) - c epsilon - ln delta: the integrand relative to the integral
  double spread = 1;    // the standard deviation of the loss tilted by c
};

// Chooses a line on which the copies stay below `tolerance` times delta.
Line choose_line(const Steps& steps, Direction direction, const OperatingPoint& operating_point, double tolerance,
                 Route route);

// The composed moments at the points of a line, and what was not computed.
struct LineMoments {
  std::vector<Complex> phi;  // exp(K(c + ijh) - K(c))
  Ball log_moment;           // K(c)
  Ball lost;                 // the sum of |phi|/|z (z+1)| over points whose phase is not known; their phi above is 0
  long bits = 0;             // the working precision
};

// Computes the moments to an accuracy of approximately exp(-digits), whatever the counts.
LineMoments moments_on_line(const Steps& steps, Direction direction, const Line& line, long points, double digits);
// Computes K at a real point, to an accuracy of approximately exp(-digits).
Ball log_moment_at(const Steps& steps, Direction direction, double c, double digits);

// Estimates the work of moments_on_line, in products of balls.
double work(const Steps& steps, Direction direction, const Line& line, double points, double digits);

// The usual budget in products of balls; it takes approximately three seconds.
constexpr double usual_work = 1.2e7;
// Like contour_law, with a given budget.
std::unique_ptr<Law> contour_law_within(double most_work, const Steps& steps, Direction direction,
                                        const OperatingPoint& operating_point, double tolerance, Route route);

// Uses a given line and the moments at its first points; `log_rival` is K(c'), and `beyond` bounds the sum over the
// later points, relative to exp(K(c) - c epsilon).
std::unique_ptr<Law> contour_law_on(const Line& line, const LineMoments& moments, const Ball& log_rival,
                                    const Ball& beyond);

// The last resort if no other method applies: an upper bound, with 0 as the lower bound.
std::unique_ptr<Law> chernoff_law(const Steps& steps, Direction direction, const OperatingPoint& operating_point);

}  // namespace renyi::certify
