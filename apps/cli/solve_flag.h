// --solve: which number is left open in a request.
#pragma once

#include <string>

#include "apps/cli/question.h"

namespace renyi::cli {

FlagText solve_flag();

// "neighbors", "unit", "steps", "epsilon" and "delta" of the request, with null for what --solve asks for.
void set_open_run(Question& question, const Flags& flags);

// "steps[0].plan[1].scale" as a JSON pointer: "/steps/0/plan/1/scale". Throws InvalidArgument for what is none.
api::Json::json_pointer pointer_to(const std::string& path);

}  // namespace renyi::cli
