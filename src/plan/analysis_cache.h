// Caches the analysed form of each distinct step of a plan. A step is analysed when it is added, which also checks it,
// and the result serves every later question.
#pragma once

#include <map>
#include <mutex>
#include <string_view>
#include <tuple>
#include <vector>

#include "renyi/plan.h"

namespace renyi::plan {

// The cache belongs to one neighbouring relation. It is safe to use from several threads, and copies of a plan share
// it.
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
  const Entry* last_ = nullptr;  // the entry requested last, which is often requested again
};

}  // namespace renyi::plan
