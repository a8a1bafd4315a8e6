// The share of the server that one token may use: calls, and processor time of the threads that answer them. Both are
// granted evenly over time, and kept for a minute at most.
#pragma once

#include <chrono>
#include <map>
#include <mutex>
#include <string>

#include "api/tokens.h"

namespace renyi::server {

class Quotas {
 public:
  using Time = std::chrono::steady_clock::time_point;

  // `usual` is for tokens that state none.
  explicit Quotas(const api::TokenQuota& usual) : usual_(usual) {}

  // Counts a call. Returns how long the token has to wait before it may make it, 0 if it need not.
  std::chrono::seconds admit(const api::Token& token, Time now);
  // Takes processor time that a call has used, which may be more than is left: the next calls wait for it.
  void spend(const api::Token& token, double seconds, Time now);

 private:
  struct Left {
    double calls = 0;
    double cpu_seconds = 0;
    Time as_of{};
  };

  api::TokenQuota quota_of(const api::Token& token) const;
  Left& left_of(const api::Token& token, const api::TokenQuota& quota, Time now);

  api::TokenQuota usual_;
  std::mutex mutex_;
  std::map<std::string, Left> tokens_;  // by id; there are no more than valid tokens since the start
};

}  // namespace renyi::server
