// renyi batch
#include <fmt/format.h>

#include <chrono>
#include <string>

#include "api/api.h"
#include "apps/cli/commands/command.h"
#include "apps/cli/flags/answer_flags.h"
#include "apps/cli/io/files.h"
#include "apps/cli/io/output.h"
#include "renyi/error.h"
#include "renyi/limits.h"

namespace renyi::cli {
namespace batch_file {
namespace {

constexpr const char* file_argument = "FILE";

// This suffices for a plan of half a million steps.
constexpr std::size_t longest_line = 64U << 20U;

std::string too_long() {
  return api::error_line(
      InvalidArgument("line", "a longer one", fmt::format("at most {} bytes a request", longest_line)));
}

// Prints one answer for every line, also for empty ones, so that answer n belongs to line n.
// Answers that took long are passed on at once, and nothing is computed for a reader who is gone.
void answer_lines(Input& input, const Flags& flags) {
  using Clock = std::chrono::steady_clock;
  constexpr std::chrono::milliseconds patience{20};
  input.before_waiting(flush_output);
  auto passed_on = Clock::now();
  while (const auto line = input.next_line(longest_line)) {
    const LimitScope limits(limits_asked(flags));
    print((line->too_long ? too_long() : api::answer(line->text)) + '\n');
    if (const auto now = Clock::now(); now - passed_on > patience) {
      flush_output();
      passed_on = now;
    }
  }
}

void run(const std::string& name, const Flags& flags) {
  try {
    Input input(name);
    answer_lines(input, flags);
  } catch (const Error& error) {
    throw Failure(exit_bad_input, error.what());
  }
}

}  // namespace
}  // namespace batch_file

Command batch_command() {
  return {
      .name = "batch",
      .help = "Answer requests, one line of JSON each",
      .flags = {{batch_file::file_argument, "",
                 "requests (docs/format/requests.md), or - for standard input (default)"},
                time_limit_flag()},
      .footer =
          "Every line has one answer, in order; a bad line is answered with an error and\n"
          "the rest goes on.\n"
          "\n" +
          std::string(exact_assumes) +
          "Examples:\n"
          "  renyi batch requests.jsonl\n"
          "  echo '{\"op\":\"delta\",\"steps\":[{\"mechanism\":\"gdp\",\"mu\":1}],\"epsilon\":1}' | renyi "
          "batch",
      .run = [](const Flags& flags,
                const CommandText&) { batch_file::run(flags.text(batch_file::file_argument).value_or("-"), flags); },
  };
}

}  // namespace renyi::cli
