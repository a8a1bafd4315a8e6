// Things the user should know although the answer is right.
#pragma once

#include <string>
#include <vector>

#include "apps/cli/question.h"

namespace renyi::cli {

std::vector<std::string> warnings(const Question& question);

}  // namespace renyi::cli
