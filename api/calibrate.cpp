#include "api/calibrate.h"

#include <cstddef>
#include <string_view>
#include <utility>

#include "renyi/error.h"

namespace renyi::api {

namespace calibrate_file {
namespace {

constexpr std::string_view batch_note =
    "with epochs given, each batch size has its own number of steps and its own cost; a smaller batch may cost more, "
    "so "
    "have the one that you use evaluated";

// Errors about the unknown get the path of its step.
Calibration solve(const CalibrateRequest& asked) {
  const auto& [unknown, name, path] = asked.number;
  try {
    return calibrate(asked.plan, unknown, asked.target, asked.options);
  } catch (const Unsupported& error) {
    // Errors about targets that cannot be met name the target's epsilon, even if a step has a parameter of that name.
    if (error.path() != unknown.parameter || unknown.parameter == "epsilon") throw;
    throw error.within(path.substr(0, path.size() - name.size()));
  }
}

// Returns the cost of the solved plan, with an exact part even if the target was met by the Renyi bound.
template <class Found>
Cost cost_of(const Found& found, const CalibrateOptions& asked) {
  Cost cost = found.cost;
  if (cost.exact) return cost;
  const CostOptions options{.renyi = false, .exactness = asked.exact, .report_excess_width = asked.report_excess_width};
  Cost exact =
      cost.quantity == Quantity::epsilon ? epsilon(found.plan, cost.at, options) : delta(found.plan, cost.at, options);
  cost.exact = exact.exact;
  cost.obstacle = std::move(exact.obstacle);
  cost.standing = exact.standing;
  cost.limit = std::move(exact.limit);
  cost.contradiction = std::move(exact.contradiction);
  return cost;
}

template <class Found>
std::string note_on(const Found& found, const CalibrateOptions& options) {
  if (!options.by && found.by == Accounting::renyi) {
    return "calibrated by the Renyi bound, as this run has no exact figure";
  }
  if (found.unspent == 0) return "";
  return "private; the width of the exact interval hides how near the boundary is (a smaller tolerance may tell)";
}

// Errors about one of several unknowns get its place in the request.
SplitCalibration solve(const SplitRequest& asked) {
  std::vector<Unknown> unknowns;
  for (const UnknownNumber& number : asked.numbers) unknowns.push_back(number.unknown);
  const auto place_of = [&](const std::string& path) {
    for (std::size_t i = 0; i < asked.numbers.size(); ++i) {
      if (path == "unknowns[" + std::to_string(i) + "]") return asked.numbers[i].path;
    }
    return path;
  };
  try {
    return calibrate(asked.plan, unknowns, asked.split, asked.target, asked.options);
  } catch (const Unsupported& error) {
    throw Unsupported(place_of(error.path()), error.why(), error.instead());
  } catch (const InvalidArgument& error) {
    throw InvalidArgument(place_of(error.path()), error.value(), error.allowed());
  }
}

}  // namespace
}  // namespace calibrate_file

CalibrateAnswer answer(const CalibrateRequest& asked) { return answer_of(asked, calibrate_file::solve(asked)); }

CalibrateAnswer answer_of(const CalibrateRequest& asked, Calibration found) {
  CalibrateAnswer answer{.found = std::move(found), .number = asked.number};
  answer.cost = calibrate_file::cost_of(answer.found, asked.options);
  answer.note = answer.found.beyond.empty() ? calibrate_file::note_on(answer.found, asked.options)
                                            : "the next values are not analysed: " + answer.found.beyond;
  if (!answer.found.is_extreme) {
    answer.note += answer.note.empty() ? "" : "; ";
    answer.note += calibrate_file::batch_note;
  }
  return answer;
}

SplitAnswer answer(const SplitRequest& asked) { return answer_of(asked, calibrate_file::solve(asked)); }

SplitAnswer answer_of(const SplitRequest& asked, SplitCalibration found) {
  SplitAnswer answer{
      .found = std::move(found), .numbers = asked.numbers, .rule = asked.split.rule, .target = asked.target};
  answer.cost = calibrate_file::cost_of(answer.found, asked.options);
  answer.note = calibrate_file::note_on(answer.found, asked.options);
  return answer;
}

}  // namespace renyi::api
