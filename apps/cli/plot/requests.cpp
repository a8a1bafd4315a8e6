#include "apps/cli/plot/requests.h"

#include <fmt/format.h>

#include <cmath>
#include <filesystem>

#include "api/said.h"
#include "apps/cli/views/describe.h"
#include "renyi/sampling.h"

namespace renyi::cli::plot {

double delta_of(const Question& question) { return api::said_in(question.request).delta.value_or(usual_delta); }

api::Document run_of(const Question& question, std::vector<std::string> members) {
  members.insert(members.end(), {"neighbors", "unit", "steps"});
  return question.request.picked(members);
}

std::string run_in_words(const Question& question) {
  const api::Said said = api::said_in(question.request);
  std::string words =
      question.source.empty() ? run_in_a_line(said) : std::filesystem::path(question.source).filename().string();
  if (said.neighbors != to_string(Neighbors::add_or_remove_one)) words += fmt::format(", {}", said.neighbors);
  if (said.unit != 1) words += fmt::format(", {} records a person", said.unit);
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
