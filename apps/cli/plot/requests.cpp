#include "apps/cli/plot/requests.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <exception>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <thread>

#include "api/json/content.h"
#include "api/parallel.h"
#include "apps/cli/plot/answers.h"
#include "apps/cli/views/describe.h"
#include "renyi/error.h"

namespace renyi::cli::plot {

using api::Json;

double delta_of(const Question& question) {
  return api::opened(question.request).contains("delta") ? number_in(api::opened(question.request).at("delta"))
                                                         : usual_delta;
}

Json about_run(const Question& question, const std::string& op, std::initializer_list<const char*> members) {
  Json request = Json::object();
  request["op"] = op;
  const auto copy = [&](const char* member) {
    if (api::opened(question.request).contains(member)) request[member] = api::opened(question.request).at(member);
  };
  for (const char* member : {"neighbors", "unit", "steps"}) copy(member);
  for (const char* member : members) copy(member);
  return request;
}

std::vector<std::optional<Json>> answers_to(const std::vector<Json>& requests) {
  std::vector<std::optional<Json>> answers(requests.size());
  std::vector<std::exception_ptr> failures(requests.size());
  const auto ask = [&](std::size_t i) {
    try {
      answers[i] = api::evaluate(requests[i]);
    } catch (const Error&) {
      failures[i] = std::current_exception();
    }
  };
  api::for_each_index(requests.size(), 1, ask, [] {});
  const bool any = std::any_of(answers.begin(), answers.end(), [](const auto& answer) { return answer.has_value(); });
  if (!any && !failures.empty()) std::rethrow_exception(failures.front());
  return answers;
}

std::vector<Json> rows_of(const Json& request, const char* list, const char* rows, const std::vector<double>& points) {
  constexpr std::size_t fewest = 10;
  const std::size_t cores = std::max(1U, std::thread::hardware_concurrency());
  const std::size_t together = std::max(fewest, (points.size() + cores - 1) / cores);
  std::vector<Json> parts;
  for (std::size_t begin = 0; begin < points.size(); begin += together) {
    Json part = request;
    const auto first = points.begin() + static_cast<std::ptrdiff_t>(begin);
    part[list] = std::vector(first, first + static_cast<std::ptrdiff_t>(std::min(together, points.size() - begin)));
    parts.push_back(std::move(part));
  }
  std::vector<Json> all;
  for (const auto& answer : answers_to(parts)) {
    if (answer) all.insert(all.end(), answer->at(rows).begin(), answer->at(rows).end());
  }
  return all;
}

std::vector<std::vector<double>> parts_for_cores(const std::vector<double>& points) {
  constexpr std::size_t fewest = 10;
  const std::size_t cores = std::max(1U, std::thread::hardware_concurrency());
  const std::size_t together = std::max(fewest, (points.size() + cores - 1) / cores);
  std::vector<std::vector<double>> parts;
  for (std::size_t begin = 0; begin < points.size(); begin += together) {
    const auto first = points.begin() + static_cast<std::ptrdiff_t>(begin);
    parts.emplace_back(first, first + static_cast<std::ptrdiff_t>(std::min(together, points.size() - begin)));
  }
  return parts;
}

std::string run_in_words(const Question& question) {
  std::string words = question.source.empty() ? run_in_a_line(api::said_in(question.request))
                                              : std::filesystem::path(question.source).filename().string();
  if (api::opened(question.request).contains("neighbors") &&
      api::opened(question.request).at("neighbors") != "add-or-remove-one") {
    words += fmt::format(", {}", api::opened(question.request).at("neighbors").get<std::string>());
  }
  if (api::opened(question.request).contains("unit") && api::opened(question.request).at("unit") != 1) {
    words += fmt::format(", {} records a person", api::opened(question.request).at("unit").dump());
  }
  return words;
}

bool is_there(const Json& row, const char* part) { return row.contains(part) && !row.at(part).contains("unavailable"); }

Interval interval_in(const Json& exact) { return {number_in(exact.at("lower")), number_in(exact.at("upper"))}; }

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
