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

// The message without the path it is about.
std::string reason_of(const Error& error);

// Why there is no exact figure, for answers that have the Renyi bound anyway or have no use for it.
std::string without_renyi_advice(std::string reason);

}  // namespace renyi::api
