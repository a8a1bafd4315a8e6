// contour_law with a budget of one's own, and on a line of one's own.
#pragma once

#include <memory>

#include "certify/exact/law.h"
#include "certify/exact/line.h"
#include "certify/exact/moments_on_line.h"

namespace renyi::certify {

// In products of balls; the usual budget is about three seconds.
constexpr double usual_work = 1.2e7;
std::unique_ptr<Law> contour_law_within(double most_work, const Steps& steps, Direction direction, const Place& place,
                                        double tolerance, Route route);

// From the moments at the line's first points; `log_rival` is K(c'), and `beyond` bounds what the later points amount
// to, relative to exp(K(c) - c epsilon).
std::unique_ptr<Law> contour_law_on(const Line& line, const LineMoments& moments, const Ball& log_rival,
                                    const Ball& beyond);

}  // namespace renyi::certify
