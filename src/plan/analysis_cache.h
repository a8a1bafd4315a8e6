// What the steps of a plan are to the mathematics, found once for each distinct one: when it is added, which checks it,
// and for every question afterwards.
#pragma once

#include <map>
#include <mutex>
#include <string_view>
#include <tuple>
#include <vector>

#include "renyi/plan.h"

namespace renyi::plan {

// Under one relation. Safe to use from several threads; copies of a plan share one.
class AnalysisCache {
 public:
  explicit AnalysisCache(const Adjacency& relation) : relation_(relation) {}

  // Throws what `analysed` (renyi/plan.h) throws.
  Mechanism operator()(const Mechanism& mechanism);

 private:
  using Key = std::tuple<std::string_view, const void*, std::vector<double>>;
  struct Entry {
    Mechanism specified;  // keeps alive what the key refers to
    Mechanism analysed;
  };

  Adjacency relation_;
  std::mutex mutex_;
  std::map<Key, Entry> found_;
  const Entry* last_ = nullptr;  // of what was asked for last, which is often asked for again
};

}  // namespace renyi::plan
