#include "apps/server/attempts.h"

#include <algorithm>
#include <cmath>

namespace renyi::server {

namespace attempts_file {
namespace {

constexpr std::size_t most_entries = 10'000;
constexpr std::chrono::hours known_for{1};

std::string key_of(const std::string& peer, const std::string& digest) { return peer + ' ' + digest; }

}  // namespace
}  // namespace attempts_file

void Attempts::Failures::forget(Time now) {
  const double elapsed = std::chrono::duration<double>(now - last).count();
  count = std::max(0.0, count - std::max(0.0, elapsed) / seconds_for_peer);
  last = now;
}

std::chrono::seconds Attempts::wait(const std::string& peer, const std::string& digest, Time now) {
  const std::lock_guard lock(mutex_);
  const auto known = known_.find(attempts_file::key_of(peer, digest));
  if (known != known_.end() && now - known->second < attempts_file::known_for) return std::chrono::seconds(0);
  const auto found = peers_.find(peer);
  if (found == peers_.end()) return std::chrono::seconds(0);
  found->second.forget(now);
  const double excess = found->second.count - most_for_peer;
  return std::chrono::seconds(excess < 0 ? 0 : std::max(1LL, std::llround(std::ceil((excess + 1) * seconds_for_peer))));
}

void Attempts::failed(const std::string& peer, Time now) {
  const std::lock_guard lock(mutex_);
  if (peers_.size() >= attempts_file::most_entries && !peers_.contains(peer)) {
    std::erase_if(peers_, [&](const auto& one) {
      Failures failures = one.second;
      failures.forget(now);
      return failures.count == 0;
    });
    if (peers_.size() >= attempts_file::most_entries) peers_.erase(peers_.begin());
  }
  Failures& failures = peers_[peer];
  failures.forget(now);
  failures.count += 1;
}

void Attempts::succeeded(const std::string& peer, const std::string& digest, Time now) {
  const std::lock_guard lock(mutex_);
  if (known_.size() >= attempts_file::most_entries) {
    std::erase_if(known_, [&](const auto& one) { return now - one.second >= attempts_file::known_for; });
    if (known_.size() >= attempts_file::most_entries) known_.erase(known_.begin());
  }
  known_[attempts_file::key_of(peer, digest)] = now;
}

}  // namespace renyi::server
