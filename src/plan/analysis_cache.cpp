#include "plan/analysis_cache.h"

#include <utility>

namespace renyi::plan {

Mechanism AnalysisCache::operator()(const Mechanism& mechanism) {
  {
    const std::lock_guard lock(mutex_);
    if (last_ != nullptr && last_->specified == mechanism) return last_->analysed;
  }
  Key key{mechanism.kind(), mechanism.identity(), mechanism.key()};
  {
    const std::lock_guard lock(mutex_);
    if (const auto known = found_.find(key); known != found_.end()) return known->second.analysed;
  }
  // The lock is not held here: a custom mechanism may call anything, including code that waits for this cache.
  Mechanism analysed = renyi::analysed(mechanism, relation_);
  const std::lock_guard lock(mutex_);
  last_ = &found_.try_emplace(std::move(key), Entry{mechanism, std::move(analysed)}).first->second;
  return last_->analysed;
}

}  // namespace renyi::plan
