// From a figure in balls to a certified one: the precision doubles until the enclosure is narrow.
#pragma once

#include <functional>
#include <string>

#include "certify/ball.h"

namespace renyi::certify {

// `figure` computes at the working precision. A first route is widened, so that a second one of another method and
// precision fits inside; zeros, infinities and other exact figures stay exact. Throws NotConverged, naming `what`, when
// the precision comes to its end.
Certified certified_figure(const std::function<Ball()>& figure, Route route, std::string method, const char* what);

}  // namespace renyi::certify
