// The plotting program itself.
#pragma once

#include <string>

namespace renyi::cli::plot {

// Runs gnuplot, without a shell, on the script; what it draws goes to the file open as `output`. Throws Failure: there
// is no gnuplot, or it refuses the script.
void run_gnuplot(const std::string& script, int output);

}  // namespace renyi::cli::plot
