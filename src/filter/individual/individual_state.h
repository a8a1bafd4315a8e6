// The state of individual accounts, which the filter and the reader of its file share.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "filter/individual/norm_costs.h"
#include "filter/tally.h"
#include "renyi/individual_filter.h"

namespace renyi {

class IndividualFilter::State {
 public:
  State(std::size_t record_count, Budget given, Neighbors relation);

  // The costs of a step, kept for the next one like it.
  std::shared_ptr<const filter::NormCosts> costs(const IndividualStep& step);

  std::optional<std::size_t> mark(std::span<const std::uint64_t> drawn) noexcept;
  void unmark(std::span<const std::uint64_t> drawn) noexcept;

  Budget budget;
  Neighbors neighbors;
  std::size_t records;
  std::uint64_t steps = 0;
  std::vector<filter::Limit> budget_limits;
  std::vector<double> limits;          // one for the sum of each quantity
  std::size_t needed = 0;              // how many of them must be kept: all, or one of the shares
  std::vector<double> spent;           // by record, then by quantity
  std::vector<std::uint8_t> is_drawn;  // all 0 between two calls
  std::vector<std::pair<IndividualStep, std::shared_ptr<const filter::NormCosts>>> kept;
};

}  // namespace renyi
