// Exact intervals as JSON: {"lower","upper","engine","direction","remove","add","note"?}.
#pragma once

#include <functional>
#include <string>

#include "api/want.h"
#include "json/field.h"
#include "renyi/error.h"
#include "renyi/exact.h"

namespace renyi::api {

// What a tolerance is the width of.
enum class Figure { epsilon, delta };

json::Json write_exact(const ExactAnswer& answer, Figure figure, const Wanted& wanted);

// The same of what `ask` answers, or {"unavailable":"reason"} where it can give no answer.
json::Json exact_part(const Wanted& wanted, Figure figure, const std::function<ExactAnswer()>& ask);

}  // namespace renyi::api
