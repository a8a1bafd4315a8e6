// renyi matrix: designs banded matrices for correlated noise, and prints the error of those at hand.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "api/matrix_design.h"
#include "apps/cli/commands/command.h"
#include "apps/cli/flags/answer_flags.h"
#include "apps/cli/flags/number.h"
#include "apps/cli/flags/run_flags.h"
#include "apps/cli/flags/written_number.h"
#include "apps/cli/views/describe.h"
#include "apps/cli/views/layout.h"

namespace renyi::cli {

namespace matrix_file {
namespace {

using api::MatrixDesignRequest;

constexpr const char* run_group = "The run";
// As many coefficients are shown as fit on a line.
constexpr std::size_t shown_coefficients = 8;

std::string flag_of(std::string key) {
  std::replace(key.begin(), key.end(), '_', '-');
  return "--" + key;
}

void set_whole(Question& question, const Flags& flags, const std::string& key) {
  const std::string flag = flag_of(key);
  question.flag_at[key] = flag;
  if (const auto text = flags.text(flag)) question.set(key, read_integer(flag, *text, most_designed_rounds), flag);
}

void set_real(Question& question, const Flags& flags, const std::string& key) {
  const std::string flag = flag_of(key);
  question.flag_at[key] = flag;
  if (const auto text = flags.text(flag)) question.set(key, read_number(flag, *text), flag);
}

void set_bands(Question& question, const Flags& flags) {
  const std::string flag = "--bands";
  question.flag_at["bands"] = flag;
  const auto text = flags.text(flag);
  if (!text) return;
  api::Document list = api::Document::list();
  std::istringstream in(*text);
  for (std::string number; std::getline(in, number, ',');) {
    list.add(read_integer(flag, number, most_designed_bands));
  }
  question.set("bands", std::move(list), flag);
}

// The run and the privacy of it, which both commands take.
void build_run(Question& question, const Flags& flags) {
  question.request.set("op", "matrix-design");
  question.understood = flags.understood;
  for (const char* key : {"rounds", "participations", "min_separation"}) set_whole(question, flags, key);
  for (const char* key : {"dataset_size", "batch_size", "epsilon", "noise_multiplier", "delta"}) {
    set_real(question, flags, key);
  }
  set_text(question, flags, "neighbors");
}

void build_design(Question& question, const Flags& flags) {
  build_run(question, flags);
  set_bands(question, flags);
  set_text(question, flags, "method");
}

void build_error(Question& question, const Flags& flags) {
  build_run(question, flags);
  question.flag_at["coefficients"] = "--coefficients";
  set_numbers(question, flags, "coefficients");
}

std::string first_coefficients(const std::vector<double>& coefficients) {
  std::string text;
  for (std::size_t i = 0; i < std::min(coefficients.size(), shown_coefficients); ++i) {
    text += fmt::format("{}{}", i == 0 ? "" : ", ", rounded(coefficients[i]));
  }
  if (coefficients.size() <= shown_coefficients) return text;
  return text + fmt::format(", ... ({} in all: --format json)", coefficients.size());
}

std::string shown_up(const std::optional<double>& number) { return number ? rounded_up(*number) : "-"; }

// Which figures a table shows depends on what was asked: a target needs no column of epsilons.
std::string lines_of(const MatrixDesign& design, const MatrixDesignQuestion& question) {
  const bool has_noise = question.target || question.noise_multiplier;
  const bool has_epsilon = question.noise_multiplier && question.delta;
  std::vector<std::string> titles{"bands", "sampling", "sensitivity", "mean (estimate)"};
  if (!has_noise) titles.emplace_back("largest (estimate)");
  if (has_noise) titles.emplace_back("noise");
  if (has_epsilon) titles.emplace_back("epsilon");
  if (has_noise) titles.emplace_back("rms (estimate)");
  std::vector<std::vector<std::string>> lines{std::move(titles)};
  for (std::size_t i = 0; i < design.matrices.size(); ++i) {
    const DesignedMatrix& matrix = design.matrices[i];
    std::vector<std::string> line{fmt::format("{}{}", matrix.bands, design.best == i ? " *" : ""),
                                  matrix.amplified ? fmt::format("cyclic, {}", rounded(matrix.sampling_rate)) : "none",
                                  rounded_up(matrix.sensitivity), rounded(matrix.error.mean_squared)};
    if (!has_noise) line.push_back(rounded(matrix.error.largest_squared));
    if (has_noise) line.push_back(shown_up(matrix.noise_multiplier));
    if (has_epsilon) line.push_back(shown_up(matrix.epsilon));
    if (has_noise) line.push_back(matrix.rms_error ? rounded(*matrix.rms_error) : "-");
    lines.push_back(std::move(line));
  }
  return columns(lines);
}

std::string rule_in_words(const ParticipationRule& rule) {
  if (rule.participations == 1) return "a record takes part in one round";
  return fmt::format("a record takes part in at most {} rounds, at least {} apart", rule.participations,
                     rule.min_separation);
}

std::string table(const Question& question, const MatrixDesignRequest& asked, const MatrixDesign& design) {
  Report report(Style::of_standard_output());
  report.headline("Banded matrices for correlated noise", fmt::format("over {} rounds", design.rule.rounds));
  for (const std::string& line : question.understood) report.row("understood", line);
  report.row("method", to_string(asked.question.method));
  report.row("none", rule_in_words(design.rule));
  if (asked.question.dataset_size) {
    report.row("cyclic", "as many groups as bands take turns; Poisson samples of the group, at the rate shown");
  }
  if (const auto& target = asked.question.target) {
    report.row("target", fmt::format("epsilon = {} at delta = {}", rounded(target->epsilon), rounded(target->delta)));
  }
  report.row("errors", asked.question.target || asked.question.noise_multiplier
                           ? "of prefix sums: mean square at noise 1; root mean square at the noise shown"
                           : "of prefix sums: mean and largest square, at noise 1");
  report.blank_line().lines(lines_of(design, asked.question));
  if (design.best) {
    const DesignedMatrix& best = design.matrices[*design.best];
    report.blank_line().paragraph(fmt::format("* has the least error{}. Its coefficients: {}",
                                              best.rms_error ? "" : " for its sensitivity",
                                              first_coefficients(best.coefficients)));
  }
  for (const DesignedMatrix& matrix : design.matrices) {
    if (matrix.obstacle.empty()) continue;
    report.paragraph(fmt::format("{} bands{}: {}", matrix.bands, matrix.amplified ? ", cyclic" : "", matrix.obstacle));
  }
  return report.text();
}

Cell number_cell(const std::optional<double>& number) { return number ? Cell(*number) : Cell(""); }

std::string rows(const Question&, const MatrixDesignRequest&, const MatrixDesign& design) {
  std::vector<std::vector<Cell>> cells;
  for (const DesignedMatrix& matrix : design.matrices) {
    cells.push_back({matrix.bands, matrix.amplified ? "cyclic-poisson" : "none",
                     matrix.amplified ? Cell(matrix.sampling_rate) : Cell(""), matrix.sensitivity,
                     matrix.error.mean_squared, matrix.error.largest_squared, number_cell(matrix.noise_multiplier),
                     number_cell(matrix.epsilon), number_cell(matrix.rms_error), number_cell(matrix.largest_error),
                     matrix.obstacle});
  }
  return csv({"bands", "sampling", "sampling_rate", "sensitivity", "mean_squared_error_estimate",
              "largest_squared_error_estimate", "noise_multiplier", "epsilon", "rms_error_estimate",
              "largest_error_estimate", "unavailable"},
             cells);
}

std::vector<FlagText> flags_of_run() {
  return {
      {.name = "--rounds", .value = "N", .help = "training steps of the run", .group = run_group, .whole = true},
      {.name = "--participations",
       .value = "K",
       .help = "rounds that one record contributes to, at most (default: epochs, or 1)",
       .group = run_group,
       .whole = true},
      {.name = "--min-separation",
       .value = "M",
       .help = "rounds from one contribution of a record to its next, at least (default: an epoch, or 1)",
       .group = run_group,
       .whole = true},
      {"--dataset-size", "N", "records; with --batch-size, cyclic Poisson sampling is shown too", run_group},
      {"--batch-size", "B", "expected records of a batch", run_group},
      {.name = "--neighbors",
       .value = "add-or-remove-one|replace-one|zero-out",
       .help = "neighbouring datasets (default add-or-remove-one)",
       .group = run_group,
       .rare = true},
  };
}

std::vector<FlagText> flags_of_privacy() {
  return {
      epsilon_flag("the target, for which the noise is found; with --delta"),
      delta_flag(),
      {"--noise-multiplier", "Z", "standard deviation of the noise on C g, instead of a target", asked_group},
      format_flag(),
  };
}

constexpr const char* what_errors_are =
    "The noise on C g has the standard deviation --noise-multiplier times the norm of a contribution. Errors\n"
    "are those of prefix sums, the sums of all contributions up to a round, for contributions of norm 1: the mean\n"
    "over the rounds and the largest of squared errors at noise 1, and the root of the mean with the noise shown.\n"
    "They are estimates, accurate to one part in 1e9; sensitivities, noise and epsilons are upper bounds.\n"
    "\n";

Command design_command() {
  const std::vector<FlagText> own{
      {"--bands", "LIST", "numbers of bands, one design for each", asked_group},
      {"--method", "square-root|optimal", "which coefficients (default optimal)", asked_group},
  };
  return {
      .name = "matrix design",
      .help = "Coefficients, error and noise for numbers of bands",
      .flags = joined({flags_of_run(), own, flags_of_privacy()}),
      .footer = std::string(what_errors_are) +
                "Examples:\n"
                "  renyi matrix design --rounds 1000 --bands 1,8,64\n"
                "  renyi matrix design --rounds 1000 --bands 8 --participations 4 --min-separation 250 --method "
                "square-root\n"
                "  renyi matrix design --rounds 2000 --bands 1,4,16 --dataset-size 60000 --batch-size 600 --epsilon 3 "
                "--delta 1e-6",
      .run =
          [](const Flags& flags, const CommandText&) {
            ask(flags, [&](Question& question) { build_design(question, flags); }, api::read_matrix_design,
                {.table = table, .csv = rows});
          },
  };
}

Command error_command() {
  const std::vector<FlagText> own{
      {"--coefficients", "LIST", "the first column of C, from the diagonal down; zeros follow", asked_group},
  };
  return {
      .name = "matrix error",
      .help = "Sensitivity, error and cost of a matrix at hand",
      .flags = joined({flags_of_run(), own, flags_of_privacy()}),
      .footer = std::string(what_errors_are) +
                "Examples:\n"
                "  renyi matrix error --rounds 1000 --coefficients 1,0.5,0.375,0.3125\n"
                "  renyi matrix error --rounds 1000 --coefficients 1,0.5 --participations 4 --min-separation 250 "
                "--noise-multiplier 8 --delta 1e-6",
      .run =
          [](const Flags& flags, const CommandText&) {
            ask(flags, [&](Question& question) { build_error(question, flags); }, api::read_matrix_design,
                {.table = table, .csv = rows});
          },
  };
}

}  // namespace
}  // namespace matrix_file

Command matrix_command() {
  return {
      .name = "matrix",
      .help = "Banded matrices for correlated noise: coefficients, error, noise",
      .flags = {},
      .footer =
          "Correlated noise C^-1 z of a banded matrix C lowers the error of the sums over all rounds. `design` finds\n"
          "coefficients, and the noise for a target with and without sampling; `error` is about coefficients at hand.\n"
          "In plans, the matrix is the mechanism toeplitz-matrix, or banded-matrix with cyclic Poisson sampling.\n"
          "\n"
          "Examples:\n"
          "  renyi matrix design --rounds 1000 --bands 1,8,64\n"
          "  renyi matrix error --rounds 1000 --coefficients 1,0.5,0.375,0.3125",
      .run = {},
      .actions = {matrix_file::design_command(), matrix_file::error_command()},
  };
}

}  // namespace renyi::cli
