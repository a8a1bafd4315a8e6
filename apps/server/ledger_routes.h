// POST /v1/ledger/VERB: the verbs of a ledger, for those who may.
#pragma once

#include <atomic>
#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "apps/server/gate.h"
#include "apps/server/http.h"
#include "apps/server/pricing.h"
#include "renyi/ledger.h"

namespace renyi::server {

class LedgerRoutes {
 public:
  // `threads` is how many make calls at once: no caller, and no flood of questions, has all of them.
  LedgerRoutes(std::shared_ptr<Ledger> ledger, std::size_t threads);

  struct Answer {
    std::string text{};
    bool refused_by_budget = false;
  };
  // Answers a call; what it computes ends when the server stops. Throws Refused, renyi::Error.
  Answer call(std::string_view verb, const HttpRequest& request, const Caller& caller,
              const std::function<bool()>& is_stopping);
  // Throws renyi::Error if the ledger cannot be read now.
  void check() const { static_cast<void>(ledger_->head()); }
  Ledger& ledger() noexcept { return *ledger_; }
  [[nodiscard]] LedgerStatistics statistics() const noexcept { return ledger_->statistics(); }

 private:
  std::shared_ptr<Ledger> ledger_;
  PricingSlots pricing_;
  std::atomic<int> long_calls_{0};  // calls that read the whole log
};

}  // namespace renyi::server
