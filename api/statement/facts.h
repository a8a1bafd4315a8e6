// All that a privacy statement says of a plan, as values: the answers of other questions, and what the plan consists
// of. The words of a statement are made of them alone.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "api/statement/inventory.h"
#include "api/tradeoff.h"
#include "renyi/cost.h"
#include "renyi/explain.h"
#include "renyi/extras/relate.h"
#include "renyi/sampling.h"

namespace renyi::api {

// A part of the facts, or why there is none.
template <class Value>
struct Part {
  std::optional<Value> found{};
  std::string unavailable{};

  explicit operator bool() const noexcept { return found.has_value(); }
  const Value& operator*() const { return *found; }
  const Value* operator->() const { return &*found; }
};

struct Relatives {
  Part<Relation<PureParameters>> pure{};
  Part<Relation<ZcdpParameters>> zcdp{};
  Part<Relation<GdpParameters>> gdp{};
};

struct Facts {
  std::string title{};  // empty: the usual one
  double delta = 0;
  std::optional<std::int64_t> dataset_size{};
  Part<std::string> plan_file{};  // as write_plan has it; mechanisms of one's own have no form there
  Neighbors neighbors = Neighbors::add_or_remove_one;
  std::int64_t unit = 1;
  std::string assumes{};  // what the figures take for granted (renyi/plan.h); empty for most
  Inventory inventory{};
  std::vector<std::string> remarks{};  // on what was run, by whoever asks
  Cost epsilon{};                      // at the delta
  Relatives relatives{};
  Part<Explanation> promises{};
  Part<TradeoffAnswer> tradeoff{};
};

}  // namespace renyi::api
