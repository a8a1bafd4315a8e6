// renyi accuracy: prints the error of noise before it is drawn.
#include "api/accuracy.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "apps/cli/commands/command.h"
#include "apps/cli/flags/answer_flags.h"
#include "apps/cli/flags/number.h"
#include "apps/cli/flags/run_flags.h"
#include "apps/cli/flags/written_number.h"
#include "apps/cli/views/describe.h"
#include "apps/cli/views/layout.h"
#include "renyi/error.h"

namespace renyi::cli {

namespace accuracy_file {
namespace {

using api::AccuracyRequest;

const std::string grid_flag = "--grid";

// Reads 2^-10, 0.0009765625 or 1/1024.
double read_grid(const std::string& text) {
  if (!text.starts_with("2^")) return read_number(grid_flag, text);
  const bool negative = text.starts_with("2^-");
  const std::string digits = text.substr(negative ? 3 : 2);
  const bool is_whole = !digits.empty() && digits.size() <= 4 &&
                        std::all_of(digits.begin(), digits.end(), [](char c) { return c >= '0' && c <= '9'; });
  if (!is_whole) throw InvalidArgument(grid_flag, text, "a power of two such as 2^-10");
  const int exponent = std::stoi(digits);
  return std::ldexp(1.0, negative ? -exponent : exponent);
}

void build(Question& question, const Flags& flags) {
  question.request.set("op", "accuracy");
  set_numbers(question, flags, "levels");
  set_numbers(question, flags, "bounds");
  if (const auto text = flags.text(grid_flag)) question.set("grid", read_grid(*text), grid_flag);
  set_run(question, flags, "");
}

std::string in_words(const Interval& range) { return api::interval(range.lower, range.upper); }

std::string grid_in_words(double grid) {
  int exponent = 0;
  std::frexp(grid, &exponent);
  return fmt::format("2^{}", exponent - 1);
}

void add_rows(std::vector<std::vector<std::string>>& lines, const std::vector<HalfWidth>& half_widths,
              const std::vector<ErrorProbability>& probabilities) {
  for (const auto& [level, width] : half_widths) {
    lines.push_back({fmt::format("within, with probability {}", level), in_words(width)});
  }
  for (const auto& [bound, probability] : probabilities) {
    lines.push_back({fmt::format("Pr[|error| > {}]", rounded(bound)), in_words(probability)});
  }
}

// Adds the second column: the same figures with the rounding.
void add_rounded(std::vector<std::vector<std::string>>& lines, const RoundedError& error) {
  std::vector<std::vector<std::string>> rounded_lines{{"", "rounded to the grid"}};
  rounded_lines.push_back({"", in_words(error.stddev)});
  add_rows(rounded_lines, error.half_widths, error.probabilities);
  for (std::size_t i = 0; i < lines.size(); ++i) lines[i].push_back(rounded_lines[i][1]);
}

std::string table(const Question& question, const AccuracyRequest&, const Accuracy& answer) {
  Report report(Style::of_standard_output());
  report.headline("Error of the noise", " (exact, by its law; ends rounded outwards)");
  for (const std::string& line : question.understood) report.row("understood", line);
  const std::vector<std::string> steps = api::summary_of_request(question.request).steps;
  for (std::size_t i = 0; i < steps.size(); ++i) report.row(i == 0 ? "noise" : "", steps[i]);
  if (answer.rounded) {
    report.row("grid", fmt::format("{}: rounding moves the {} by at most {}", grid_in_words(answer.rounded->grid),
                                   answer.rounded->roundings == 1 ? "result" : "sum",
                                   rounded_up(answer.rounded->largest_shift)));
  }
  std::vector<std::vector<std::string>> lines{{"", "error"}, {"standard deviation", in_words(answer.stddev)}};
  add_rows(lines, answer.half_widths, answer.probabilities);
  if (answer.rounded) add_rounded(lines, *answer.rounded);
  report.blank_line().lines(columns(lines));
  return report.text();
}

std::string rows(const Question&, const AccuracyRequest&, const Accuracy& answer) {
  std::vector<std::vector<Cell>> cells;
  const auto add = [&](const char* kind, const Interval& stddev, const std::vector<HalfWidth>& half_widths,
                       const std::vector<ErrorProbability>& probabilities) {
    cells.push_back({kind, "stddev", "", stddev.lower, stddev.upper});
    for (const auto& [level, width] : half_widths)
      cells.push_back({kind, "half_width", level, width.lower, width.upper});
    for (const auto& [bound, found] : probabilities) {
      cells.push_back({kind, "probability", bound, found.lower, found.upper});
    }
  };
  add("noise", answer.stddev, answer.half_widths, answer.probabilities);
  if (const auto& error = answer.rounded) add("rounded", error->stddev, error->half_widths, error->probabilities);
  return csv({"of", "what", "at", "lower", "upper"}, cells);
}

// The flags of a run that describe its noise; those of its data and its samples do not apply.
std::vector<FlagText> noise_flags() {
  constexpr std::array<std::string_view, 2> first{"--stddev", "--scale"};
  constexpr std::array<std::string_view, 7> others{
      "--dataset-size", "--batch-size", "--epochs", "--sampling-rate", "--sampling", "--accumulation", "--batch-limit"};
  const auto is_among = [](const auto& names, const FlagText& flag) {
    return std::find(names.begin(), names.end(), flag.name) != names.end();
  };
  std::vector<FlagText> flags;
  for (FlagText flag : run_flags()) {
    if (is_among(others, flag)) continue;
    if (is_among(first, flag)) flag.rare = false, flag.group = the_run;
    if (flag.name == "--steps") flag.help = "how many such noises are added together (default 1)";
    if (flag.name == "--noise-multiplier" || flag.name == "--neighbors" || flag.name == "--unit") flag.rare = true;
    flags.push_back(std::move(flag));
  }
  return flags;
}

}  // namespace
}  // namespace accuracy_file

Command accuracy_command() {
  const std::vector<FlagText> own{
      {"--levels", "LIST", "confidence levels, in (0, 1) (default 0.95)", asked_group},
      {"--bounds", "LIST", "errors t for Pr[|error| > t], at least 0", asked_group},
      {accuracy_file::grid_flag, "GRID", "a power of two such as 2^-10 to which results are rounded", asked_group},
      format_flag(),
      time_limit_flag(),
  };
  return {
      .name = "accuracy",
      .help = "The error of noise before it is drawn",
      .flags = joined({accuracy_file::noise_flags(), own}),
      .footer =
          "The noise is --stddev (Gaussian), --scale (Laplace), or --mechanism KIND with --set;\n"
          "--steps N is a sum of N such noises, and a plan file any sum.\n"
          "\n"
          "Examples:\n"
          "  renyi accuracy --stddev 10 --levels 0.95,0.99 --bounds 20,50\n"
          "  renyi accuracy --scale 20 --steps 3 --grid 2^-10\n"
          "  renyi accuracy --mechanism skellam --set variance=100,sensitivity=1",
      .run =
          [](const Flags& flags, const CommandText&) {
            ask(flags, [&](Question& question) { accuracy_file::build(question, flags); }, api::read_accuracy,
                {.table = accuracy_file::table, .csv = accuracy_file::rows});
          },
  };
}

}  // namespace renyi::cli
