// The command renyi as a function: it reads flags and files and prints text. All mathematics is in the library.
#pragma once

namespace renyi::cli {

// Does the work of main and returns the exit code.
int run_program(int argc, char** argv);

}  // namespace renyi::cli
