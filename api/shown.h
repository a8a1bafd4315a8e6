// Numbers of an answer, for people to read.
#pragma once

#include <optional>
#include <string>

#include "api/api.h"

namespace renyi::api {

// A number of a document, "inf" included.
double number_in(const Json& value);

// Six digits: of upper bounds, of lower bounds, of plain facts.
std::string up(const Json& value);
std::string down(const Json& value);
std::string plain(const Json& value);
// "2.38168 to 2.38169": rounded outwards, and one number where that is the same.
std::string interval(const Json& ends);

// What (epsilon, delta) makes at most of a probability p: "10.8232 p + 1e-5". Nothing where it promises nothing.
std::optional<std::string> most_likely(double epsilon, double delta);

}  // namespace renyi::api
