// Collects what the answers about a plan assume although the plan does not state it.
#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "renyi/extras/select.h"
#include "renyi/plan.h"

namespace renyi {

namespace assumption_file {
namespace {

using Texts = std::vector<std::string_view>;

void collect(Texts& texts, const Steps& steps);

void collect(Texts& texts, const Mechanism& mechanism) {
  if (const auto* select = mechanism.get_if<Select>()) return collect(texts, select->steps());
  if (const auto* parallel = mechanism.get_if<Parallel>()) {
    for (const Steps& part : parallel->parts()) collect(texts, part);
    return;
  }
  const std::string_view text = mechanism.notes().assumes;
  if (!text.empty() && std::find(texts.begin(), texts.end(), text) == texts.end()) texts.push_back(text);
}

void collect(Texts& texts, const Steps& steps) {
  for (const Step& step : steps) {
    if (const auto* group = std::get_if<Steps>(&step.what)) {
      collect(texts, *group);
    } else {
      collect(texts, std::get<Mechanism>(step.what));
    }
  }
}

}  // namespace
}  // namespace assumption_file

// Under the other neighbouring relations every record keeps its position, so that nothing is assumed.
std::string assumption(const Plan& plan) {
  if (plan.neighbors() != Neighbors::add_or_remove_one) return {};
  assumption_file::Texts texts;
  assumption_file::collect(texts, plan.steps());
  std::string all;
  for (const std::string_view text : texts) all.append(all.empty() ? "" : "; ").append(text);
  return all;
}

}  // namespace renyi
