// Counts for /metrics, in Prometheus' text format: what is said about the ledger, to those who may see it, has neither
// scopes nor names.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <map>
#include <mutex>
#include <string>
#include <string_view>
#include <utility>

#include "apps/server/http.h"
#include "renyi/ledger.h"

namespace renyi::server {

class Metrics {
 public:
  void begin();
  // `route` is one of few words: "ask", "ledger", "page", ...
  void end(std::string_view route, int status, double seconds);
  void refuse_token();
  void refuse_charge();
  void refuse_for_quota();
  void fail_store(std::string_view fault);

  struct Now {
    HttpCounts http{};
    std::size_t waiting_asks = 0;
    std::size_t waiting_calls = 0;
    std::uint64_t dropped_lines = 0;           // those of the log
    const LedgerStatistics* ledger = nullptr;  // only then what is about the ledger is said
  };
  [[nodiscard]] std::string text(const Now& now) const;

 private:
  static constexpr std::array<double, 9> bounds{0.001, 0.005, 0.02, 0.05, 0.1, 0.5, 1, 2, 10};

  mutable std::mutex mutex_;
  std::map<std::pair<std::string, int>, std::uint64_t> requests_;
  struct Times {
    std::array<std::uint64_t, bounds.size()> within{};
    std::uint64_t count = 0;
    double sum = 0;
  };
  std::map<std::string, Times> times_;
  std::int64_t in_flight_ = 0;
  std::uint64_t refused_tokens_ = 0;
  std::uint64_t refused_charges_ = 0;
  std::uint64_t refused_for_quota_ = 0;
  std::map<std::string, std::uint64_t, std::less<>> store_failures_;  // by fault
};

}  // namespace renyi::server
