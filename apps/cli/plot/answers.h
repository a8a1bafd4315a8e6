// Answers many questions of one kind on all cores.
#pragma once

#include <algorithm>
#include <cstddef>
#include <exception>
#include <optional>
#include <thread>
#include <utility>
#include <vector>

#include "api/parallel.h"
#include "renyi/error.h"

namespace renyi::cli::plot {

// Returns all answers, in order. One that fails is std::nullopt; if all fail, the first error is thrown.
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

// Asks about each of these points, in parts large enough for one core each.
template <class Asked>
std::vector<Asked> in_parts(const Asked& asked, std::vector<double> Asked::*list, const std::vector<double>& points) {
  constexpr std::size_t fewest = 10;
  const std::size_t cores = std::max(1U, std::thread::hardware_concurrency());
  const std::size_t together = std::max(fewest, (points.size() + cores - 1) / cores);
  std::vector<Asked> parts;
  for (std::size_t begin = 0; begin < points.size(); begin += together) {
    const auto first = points.begin() + static_cast<std::ptrdiff_t>(begin);
    const auto size = static_cast<std::ptrdiff_t>(std::min(together, points.size() - begin));
    parts.push_back(asked);
    parts.back().*list = std::vector(first, first + size);
  }
  return parts;
}

}  // namespace renyi::cli::plot
