// From a question to printed output, and from any failure to an exit code.
#pragma once

#include <functional>
#include <stdexcept>
#include <string>

#include "apps/cli/plot/figure.h"
#include "apps/cli/question.h"

namespace renyi::cli {

// Exit codes: 0 done, 2 bad input (or output that cannot be written), 3 unsupported
// or not converged.
inline constexpr int exit_bad_input = 2;
inline constexpr int exit_no_answer = 3;

// What ends the program: one line for standard error, and the exit code.
class Failure : public std::runtime_error {
 public:
  Failure(int exit_code, const std::string& message) : std::runtime_error(message), exit_code_(exit_code) {}
  int exit_code() const noexcept { return exit_code_; }

 private:
  int exit_code_;
};

// The answer as one line of JSON.
std::string whole_answer(const Question& question, const api::Json& answer);

// How an answer looks.
struct Views {
  std::function<std::string(const Question&, const api::Json& answer)> table;
  std::function<std::string(const Question&, const api::Json& answer)> csv{};  // nothing: there is no such format
  // Throws where the answer is none, whatever its format.
  std::function<void(const api::Json& answer)> check = [](const api::Json&) {};
  std::function<std::string(const Question&, const api::Json& answer)> json = whole_answer;
  std::string usual_format = "table";
  // What --plot draws; nothing: the command has no such flag.
  std::function<plot::Figure(const Question&)> figure{};
};

// Runs `body` on a new question. A failure is said of the flag or the file that it is about, and ends the program.
void with_question(const std::function<void(Question&)>& body);

// What programs read has no room for warnings: they go to standard error.
void warn_aside(const Question& question);

// Builds the question, asks it, prints the answer in the format asked for.
void ask(const Flags& flags, const std::function<void(Question&)>& build, const Views& views);

}  // namespace renyi::cli
