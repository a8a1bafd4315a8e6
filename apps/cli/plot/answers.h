// Many questions of one kind, answered on all cores.
#pragma once

#include <algorithm>
#include <exception>
#include <optional>
#include <utility>
#include <vector>

#include "api/parallel.h"
#include "renyi/error.h"

namespace renyi::cli::plot {

// All answers, in order. One that fails is nothing, unless all do.
template <class Asked>
auto answers_to_all(const std::vector<Asked>& questions) {
  std::vector<std::optional<decltype(answer(questions.front()))>> answers(questions.size());
  std::vector<std::exception_ptr> failures(questions.size());
  const auto ask = [&](std::size_t i) {
    try {
      answers[i] = answer(questions[i]);
    } catch (const Error&) {
      failures[i] = std::current_exception();
    }
  };
  api::for_each_index(questions.size(), 1, ask, [] {});
  const bool any = std::any_of(answers.begin(), answers.end(), [](const auto& found) { return found.has_value(); });
  if (!any && !failures.empty()) std::rethrow_exception(failures.front());
  return answers;
}

// Points in parts that are asked about together, one for each core: what is found for one point serves the next.
std::vector<std::vector<double>> parts_for_cores(const std::vector<double>& points);

}  // namespace renyi::cli::plot
