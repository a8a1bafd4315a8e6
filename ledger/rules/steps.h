// Steps of charges: read once, and kept by their text.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

#include "renyi/plan.h"

namespace renyi::ledger {

// A distinct mechanism of a charge: its text without names, under which its count is stored.
struct PricedStep {
  std::string text{};
  Mechanism specified;
  std::int64_t count = 1;
};
using PricedSteps = std::vector<PricedStep>;

// Reads the steps of a charge under a relation.
class StepReader {
 public:
  // Throws InvalidArgument or Unsupported as read_plan does. The result is kept as long as this object.
  std::shared_ptr<const PricedSteps> read(const std::string& steps, const Adjacency& relation);
  // Reads the text of one distinct mechanism.
  static Mechanism read_one(const std::string& step, const Adjacency& relation);

 private:
  static constexpr std::size_t most_kept = 4096;
  std::unordered_map<std::string, std::shared_ptr<const PricedSteps>> kept_;
};

}  // namespace renyi::ledger
