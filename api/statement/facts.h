// All that a privacy statement says about a plan, as values: the answers to other questions, and the components of the
// plan. The text of a statement is written from these values alone.
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

// A part of the facts, or the reason why it is not available.
template <class Value>
struct Part {
  std::optional<Value> found{};
  std::string unavailable{};

  explicit operator bool() const noexcept { return found.has_value(); }
  const Value& operator*() const { return *found; }
  const Value* operator->() const { return &*found; }
};

struct Relatives {
  Part<NotionAnswer<PureParameters>> pure{};
  Part<NotionAnswer<ZcdpParameters>> zcdp{};
  Part<NotionAnswer<GdpParameters>> gdp{};
};

struct Facts {
  std::string title{};  // empty for the default title
  double delta = 0;
  std::optional<std::int64_t> dataset_size{};
  Part<std::string> plan_file{};  // as written by write_plan; custom mechanisms have no form there
  Neighbors neighbors = Neighbors::add_or_remove_one;
  std::int64_t unit = 1;
  std::string assumes{};  // what the values assume (renyi/plan.h); empty for most plans
  Inventory inventory{};
  std::vector<std::string> remarks{};  // remarks of the request on the run
  Cost epsilon{};                      // the epsilon at that delta
  std::optional<double> allocated{};   // with random allocation instead of shuffled epochs, if that costs less
  Part<StepShares> shares{};           // what each step adds, at the order of the Renyi bound
  Relatives relatives{};
  Part<Explanation> promises{};
  Part<TradeoffAnswer> tradeoff{};
};

}  // namespace renyi::api
