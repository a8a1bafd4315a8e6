#include "apps/cli/plot/requests.h"

#include <fmt/format.h>

#include <cmath>
#include <filesystem>

#include "api/number_text.h"
#include "api/request_summary.h"
#include "apps/cli/plot/text.h"
#include "apps/cli/views/describe.h"
#include "renyi/sampling.h"

namespace renyi::cli::plot {

double delta_of(const Question& question) {
  return api::summary_of_request(question.request).delta.value_or(usual_delta);
}

std::string in_figure(double number) { return with_raised_exponent(api::rounded(number)); }

std::string in_figure_rounded_up(double number) { return with_raised_exponent(api::rounded_up(number)); }

api::Document run_of(const Question& question, std::vector<std::string> members) {
  members.insert(members.end(), {"neighbors", "unit", "steps"});
  return question.request.picked(members);
}

std::string run_in_words(const Question& question) {
  const api::RequestSummary summary = api::summary_of_request(question.request);
  std::string words =
      question.source.empty() ? run_in_a_line(summary) : std::filesystem::path(question.source).filename().string();
  if (const auto times = words.find(" x "); question.source.empty() && times != std::string::npos) {
    words.replace(times, 3, " × ");
  }
  if (summary.neighbors != to_string(Neighbors::add_or_remove_one)) words += fmt::format(", {}", summary.neighbors);
  if (summary.unit != 1) words += fmt::format(", {} records a person", summary.unit);
  return words;
}

std::vector<double> evenly(double from, double to, int n) {
  std::vector<double> values;
  for (int i = 0; i < n; ++i) values.push_back(from + (to - from) * i / (n - 1));
  values.back() = to;
  return values;
}

std::vector<double> by_ratio(double from, double to, int n) {
  std::vector<double> values;
  for (const double t : evenly(std::log(from), std::log(to), n)) values.push_back(std::exp(t));
  values.front() = from;
  values.back() = to;
  return values;
}

}  // namespace renyi::cli::plot
