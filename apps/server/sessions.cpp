#include "apps/server/sessions.h"

#include <algorithm>

#include "apps/server/secret_text.h"
#include "digest/sha256.h"

namespace renyi::server {

namespace sessions_file {
namespace {

constexpr std::chrono::hours longest{12};
constexpr std::size_t most = 10'000;

}  // namespace
}  // namespace sessions_file

Sessions::Begun Sessions::begin(const std::string& token_id) {
  const auto now = std::chrono::steady_clock::now();
  Begun begun{random_text(), {token_id, random_text(), now + sessions_file::longest}};
  const std::lock_guard lock(mutex_);
  std::erase_if(sessions_, [&](const auto& one) { return one.second.ends <= now; });
  if (sessions_.size() >= sessions_file::most) {
    sessions_.erase(std::min_element(sessions_.begin(), sessions_.end(), [](const auto& one, const auto& other) {
      return one.second.ends < other.second.ends;
    }));
  }
  sessions_[digest::sha256(begun.cookie)] = begun.session;
  return begun;
}

// A lookup by digest takes a time that depends on the digest only, from which nobody gets nearer to a cookie.
std::optional<Session> Sessions::find(const std::string& cookie) {
  const std::lock_guard lock(mutex_);
  const auto found = sessions_.find(digest::sha256(cookie));
  if (found == sessions_.end() || found->second.ends <= std::chrono::steady_clock::now()) return std::nullopt;
  return found->second;
}

void Sessions::end(const std::string& cookie) {
  const std::lock_guard lock(mutex_);
  sessions_.erase(digest::sha256(cookie));
}

}  // namespace renyi::server
