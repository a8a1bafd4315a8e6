#include "apps/server/metrics.h"

#include <fmt/format.h>

#include <iterator>

#include "renyi/version.h"

namespace renyi::server {

void Metrics::begin() {
  const std::lock_guard lock(mutex_);
  ++in_flight_;
}

void Metrics::end(std::string_view route, int status, double seconds) {
  const std::lock_guard lock(mutex_);
  --in_flight_;
  ++requests_[{std::string(route), status}];
  Times& times = times_[std::string(route)];
  ++times.count;
  times.sum += seconds;
  for (std::size_t i = 0; i < bounds.size(); ++i) times.within[i] += seconds <= bounds[i] ? 1 : 0;
}

void Metrics::refuse_token() {
  const std::lock_guard lock(mutex_);
  ++refused_tokens_;
}

void Metrics::refuse_charge() {
  const std::lock_guard lock(mutex_);
  ++refused_charges_;
}

void Metrics::refuse_for_quota() {
  const std::lock_guard lock(mutex_);
  ++refused_for_quota_;
}

void Metrics::fail_store(std::string_view fault) {
  const std::lock_guard lock(mutex_);
  ++store_failures_[std::string(fault)];
}

std::string Metrics::text(const Now& now) const {
  std::string out;
  const auto to = std::back_inserter(out);
  const auto family = [&](const char* name, const char* type, const char* help) {
    fmt::format_to(to, "# HELP {0} {2}\n# TYPE {0} {1}\n", name, type, help);
  };
  const auto single = [&](const char* name, const char* type, const char* help, auto value) {
    family(name, type, help);
    fmt::format_to(to, "{} {}\n", name, value);
  };
  const std::lock_guard lock(mutex_);
  family("renyi_build_info", "gauge", "The version of the program.");
  fmt::format_to(to, "renyi_build_info{{version=\"{}\"}} 1\n", version);
  family("renyi_http_requests_total", "counter", "Requests that were answered.");
  for (const auto& [key, count] : requests_) {
    fmt::format_to(to, "renyi_http_requests_total{{route=\"{}\",status=\"{}\"}} {}\n", key.first, key.second, count);
  }
  family("renyi_http_request_seconds", "histogram", "Time from the first byte of a request to its answer.");
  for (const auto& [route, times] : times_) {
    for (std::size_t i = 0; i < bounds.size(); ++i) {
      fmt::format_to(to, "renyi_http_request_seconds_bucket{{route=\"{}\",le=\"{}\"}} {}\n", route, bounds[i],
                     times.within[i]);
    }
    fmt::format_to(to, "renyi_http_request_seconds_bucket{{route=\"{}\",le=\"+Inf\"}} {}\n", route, times.count);
    fmt::format_to(to, "renyi_http_request_seconds_sum{{route=\"{}\"}} {}\n", route, times.sum);
    fmt::format_to(to, "renyi_http_request_seconds_count{{route=\"{}\"}} {}\n", route, times.count);
  }
  single("renyi_http_requests_in_flight", "gauge", "Requests that are being answered.", in_flight_);
  single("renyi_http_connections", "gauge", "Connections that are open.", now.http.open_connections);
  single("renyi_http_connections_total", "counter", "Connections that were accepted.", now.http.accepted_connections);
  single("renyi_http_connections_crowded_total", "counter", "Connections that came when there were too many.",
         now.http.crowded_connections);
  single("renyi_http_connections_evicted_total", "counter",
         "Connections that let the server wait and gave way to others.", now.http.evicted_connections);
  single("renyi_http_connections_dropped_total", "counter", "Connections that were dropped: they were too slow.",
         now.http.dropped_connections);
  single("renyi_ask_queue", "gauge", "Questions that wait for a processor.", now.waiting_asks);
  single("renyi_ledger_queue", "gauge", "Calls that wait for the ledger.", now.waiting_calls);
  single("renyi_tokens_refused_total", "counter", "Attempts with a token that is not valid.", refused_tokens_);
  single("renyi_quota_refusals_total", "counter", "Calls beyond the quota of their token.", refused_for_quota_);
  single("renyi_log_lines_dropped_total", "counter", "Lines of the log that nobody took.", now.dropped_lines);
  if (now.ledger == nullptr) return out;
  single("renyi_ledger_entry", "gauge", "The newest entry that this server has seen.", now.ledger->newest_entry);
  single("renyi_ledger_lock_waits_total", "counter", "Calls that waited for their turn.", now.ledger->lock_waits);
  single("renyi_ledger_lock_wait_seconds_total", "counter", "How long they waited.", now.ledger->lock_wait_seconds);
  single("renyi_ledger_synchronisations_total", "counter", "Waits for the disk.", now.ledger->synchronisations);
  single("renyi_ledger_synchronisation_seconds_total", "counter", "How long they took.",
         now.ledger->synchronisation_seconds);
  single("renyi_ledger_refusals_total", "counter", "Charges that a budget refused.", refused_charges_);
  family("renyi_store_failures_total", "counter", "Calls that failed because the ledger's store or the tokens' did.");
  for (const auto& [fault, count] : store_failures_) {
    fmt::format_to(to, "renyi_store_failures_total{{fault=\"{}\"}} {}\n", fault, count);
  }
  return out;
}

}  // namespace renyi::server
