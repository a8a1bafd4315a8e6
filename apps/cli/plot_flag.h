// --plot FILE: a command's answer as a figure as well.
#pragma once

#include "apps/cli/flags.h"

namespace renyi::cli {

FlagText plot_flag();

}  // namespace renyi::cli
