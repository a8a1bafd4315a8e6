// The command renyi as a function: flags and files in, text out. All mathematics is in the library.
#pragma once

namespace renyi::cli {

// What main has to do; the exit code.
int run_program(int argc, char** argv);

}  // namespace renyi::cli
