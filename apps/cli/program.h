// The whole command line as one tree, from which help, man page and completions come.
#pragma once

#include <CLI/CLI.hpp>
#include <memory>

namespace renyi::cli {

std::unique_ptr<CLI::App> make_program();

}  // namespace renyi::cli
