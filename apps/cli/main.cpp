// The renyi command: flags and files in, text out. All mathematics is in the library.
#include <fmt/format.h>

#include <cerrno>
#include <csignal>
#include <exception>
#include <sstream>

#include "apps/cli/ask.h"
#include "apps/cli/output.h"
#include "apps/cli/program.h"

namespace {

using namespace renyi::cli;

int complain(int exit_code, std::string_view message) {
  say(fmt::format("renyi: {}\n", message));
  return exit_code;
}

// Help and version arrive as exceptions as well; they are no failures.
int settle(const CLI::App& program, const CLI::ParseError& error) {
  std::ostringstream out;
  std::ostringstream ignored;
  if (program.exit(error, out, ignored) == 0) {
    print(out.str());
    return 0;
  }
  const auto chosen = program.get_subcommands();
  if (chosen.empty() && !program.remaining().empty()) {
    return complain(exit_bad_input, fmt::format("{}: no such command; see renyi --help", program.remaining().front()));
  }
  return complain(exit_bad_input, fmt::format("{}; see renyi {}--help", error.what(),
                                              chosen.empty() ? "" : chosen.front()->get_name() + " "));
}

int run(int argc, char** argv) {
  const auto program = make_program();
  try {
    program->parse(argc, argv);
    return 0;
  } catch (const CLI::ParseError& error) {
    return settle(*program, error);
  } catch (const Failure& failure) {
    return complain(failure.exit_code(), failure.what());
  }
}

}  // namespace

int main(int argc, char** argv) {
  // A reader that goes away is an error of printing, not a reason to be killed.
  std::signal(SIGPIPE, SIG_IGN);
  try {
    const int exit_code = run(argc, argv);
    flush_output();
    return exit_code;
  } catch (const OutputError& error) {
    // A reader that has seen enough, such as head, is told nothing it does not know.
    return error.number() == EPIPE ? exit_bad_input : complain(exit_bad_input, error.what());
  } catch (const std::exception& error) {
    return complain(exit_no_answer, error.what());
  }
}
