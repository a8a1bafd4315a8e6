// The steps of a plan or of a request in words.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "api/api.h"

namespace renyi::api {

// Calls `visit` for every step that names a mechanism, in groups, parallel parts and selections too.
void for_each_mechanism(const Json& steps, const std::function<void(const Json& step)>& visit);

// One line a step; those of a group, of a parallel part or of a selection below it, indented by "> ".
std::vector<std::string> steps_in_words(const Json& steps);

}  // namespace renyi::api
