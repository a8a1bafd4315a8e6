// Collects what the answers about a plan assume although the plan does not state it.
#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "mechanism/law.h"
#include "renyi/extras/select.h"
#include "renyi/plan.h"

namespace renyi {

namespace assumption_file {
namespace {

using Texts = std::vector<std::string_view>;

void collect(Texts& texts, const Steps& steps, Neighbors neighbors);

// A shuffled epoch is taken as one in which every batch gives one answer.
constexpr std::string_view answers_of_batches =
    "every batch of the shuffled epoch gives one answer; if people randomize their own values and a shuffler publishes "
    "the messages, the mechanism is shuffle-model";

bool is_shuffled_randomizer(const Mechanism& mechanism) {
  const Sampling* sampling = mechanism.sampling();
  return sampling != nullptr && sampling->scheme == Scheme::shuffled &&
         mechanism::is_local_randomizer(mechanism.unsampled().curve()->law());
}

std::string_view assumed_by(const Mechanism& mechanism, Neighbors neighbors) {
  if (is_shuffled_randomizer(mechanism)) return answers_of_batches;
  // Under the other neighbouring relations every record keeps its position, so that nothing else is assumed.
  return neighbors == Neighbors::add_or_remove_one ? mechanism.notes().assumes : std::string_view{};
}

void collect(Texts& texts, const Mechanism& mechanism, Neighbors neighbors) {
  if (const auto* select = mechanism.get_if<Select>()) return collect(texts, select->steps(), neighbors);
  if (const auto* parallel = mechanism.get_if<Parallel>()) {
    for (const Steps& part : parallel->parts()) collect(texts, part, neighbors);
    return;
  }
  const std::string_view text = assumed_by(mechanism, neighbors);
  if (!text.empty() && std::find(texts.begin(), texts.end(), text) == texts.end()) texts.push_back(text);
}

void collect(Texts& texts, const Steps& steps, Neighbors neighbors) {
  for (const Step& step : steps) {
    if (const auto* group = std::get_if<Steps>(&step.what)) {
      collect(texts, *group, neighbors);
    } else {
      collect(texts, std::get<Mechanism>(step.what), neighbors);
    }
  }
}

}  // namespace
}  // namespace assumption_file

std::string assumption(const Plan& plan) {
  assumption_file::Texts texts;
  assumption_file::collect(texts, plan.steps(), plan.neighbors());
  std::string all;
  for (const std::string_view text : texts) all.append(all.empty() ? "" : "; ").append(text);
  return all;
}

}  // namespace renyi
