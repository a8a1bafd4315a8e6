#include "apps/server/quotas.h"

#include <algorithm>
#include <cmath>

namespace renyi::server {

namespace quotas_file {
namespace {

constexpr double minute = 60;

// When what is left reaches what is needed; 0 if it has.
double wait_for(double needed, double left, double per_minute) {
  return left >= needed ? 0 : (needed - left) * minute / per_minute;
}

}  // namespace
}  // namespace quotas_file

api::TokenQuota Quotas::quota_of(const api::Token& token) const {
  return {.calls = token.quota.calls != 0 ? token.quota.calls : usual_.calls,
          .cpu_seconds = token.quota.cpu_seconds != 0 ? token.quota.cpu_seconds : usual_.cpu_seconds};
}

Quotas::Left& Quotas::left_of(const api::Token& token, const api::TokenQuota& quota, Time now) {
  const auto calls = static_cast<double>(quota.calls);
  const auto [found, is_new] = tokens_.try_emplace(token.id, Left{calls, quota.cpu_seconds, now});
  Left& left = found->second;
  const double minutes = std::chrono::duration<double>(now - left.as_of).count() / quotas_file::minute;
  if (!is_new && minutes > 0) {
    left.calls = std::min(calls, left.calls + minutes * calls);
    left.cpu_seconds = std::min(quota.cpu_seconds, left.cpu_seconds + minutes * quota.cpu_seconds);
    left.as_of = now;
  }
  return left;
}

std::chrono::seconds Quotas::admit(const api::Token& token, Time now) {
  const api::TokenQuota quota = quota_of(token);
  if (quota.calls == 0 && quota.cpu_seconds == 0) return std::chrono::seconds(0);
  const std::lock_guard lock(mutex_);
  Left& left = left_of(token, quota, now);
  double wait = 0;
  if (quota.calls != 0) wait = quotas_file::wait_for(1, left.calls, static_cast<double>(quota.calls));
  if (quota.cpu_seconds != 0) {
    wait = std::max(wait, quotas_file::wait_for(0, left.cpu_seconds, quota.cpu_seconds));
  }
  if (wait == 0) left.calls -= 1;
  // What sums of doubles are beside a whole second is no reason to wait for another one.
  constexpr double rounding = 1e-6;
  return std::chrono::seconds(wait == 0 ? 0 : std::max(1LL, std::llround(std::ceil(wait - rounding))));
}

void Quotas::spend(const api::Token& token, double seconds, Time now) {
  const api::TokenQuota quota = quota_of(token);
  if (quota.cpu_seconds == 0) return;
  const std::lock_guard lock(mutex_);
  left_of(token, quota, now).cpu_seconds -= seconds;
}

}  // namespace renyi::server
