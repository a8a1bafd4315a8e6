#include "apps/server/access_log.h"

#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <climits>
#include <cmath>
#include <ctime>
#include <utility>

#include "api/document.h"
#include "api/secrets.h"

namespace renyi::server {

namespace access_log_file {
namespace {

std::string now_text() {
  const auto now = std::chrono::system_clock::now();
  const std::time_t seconds = std::chrono::system_clock::to_time_t(now);
  const auto milliseconds =
      std::chrono::duration_cast<std::chrono::milliseconds>(now.time_since_epoch()).count() % 1000;
  std::tm parts{};
  ::gmtime_r(&seconds, &parts);
  std::array<char, 32> text{};
  const std::size_t length = std::strftime(text.data(), text.size(), "%Y-%m-%dT%H:%M:%S", &parts);
  std::string digits = std::to_string(1000 + milliseconds);
  return std::string(text.data(), length) + '.' + digits.substr(1) + 'Z';
}

// Writes some bytes if that is possible without waiting. What poll finds ready takes PIPE_BUF bytes, except a socket,
// which says itself that it would have to wait.
ssize_t write_some(std::string_view text) {
  const std::size_t bytes = std::min<std::size_t>(text.size(), PIPE_BUF);
  const ssize_t sent = ::send(STDERR_FILENO, text.data(), bytes, MSG_DONTWAIT | MSG_NOSIGNAL);
  return sent < 0 && errno == ENOTSOCK ? ::write(STDERR_FILENO, text.data(), bytes) : sent;
}

void set_if(api::Document& line, const char* key, const std::string& text) {
  if (!text.empty()) line.set(key, text);
}

}  // namespace
}  // namespace access_log_file

std::string for_log(std::string_view text) {
  constexpr std::size_t longest = 200;
  std::string shown;
  for (std::size_t at = 0; at < text.size() && shown.size() < longest;) {
    constexpr std::string_view prefix = "renyi_";
    if (text.substr(at).starts_with(prefix)) {
      shown += "renyi_...";
      at = text.find('/', at);
      if (at == std::string_view::npos) break;
      continue;
    }
    const char c = text[at++];
    shown += c >= 0x20 && c < 0x7f ? c : '?';
  }
  return shown;
}

void AccessLog::write(const AccessRecord& record) {
  if (!is_on_) return;
  using access_log_file::set_if;
  api::Document line;
  line.set("time", access_log_file::now_text()).set("id", record.id).set("peer", record.peer);
  line.set("method", for_log(record.method)).set("path", for_log(record.path)).set("status", record.status);
  line.set("ms", std::round(record.milliseconds * 1000) / 1000).set("bytes", static_cast<std::int64_t>(record.bytes));
  set_if(line, "token", record.token_id);
  set_if(line, "name", record.token_name);
  set_if(line, "role", record.role);
  set_if(line, "refused", record.error_kind);
  if (record.refused_by_budget) line.set("accepted", false);
  write_line(line.text());
}

void AccessLog::note(std::string_view event, std::string_view message) {
  if (!is_on_) return;
  api::Document line;
  line.set("time", access_log_file::now_text()).set("event", std::string(event));
  access_log_file::set_if(line, "message", api::without_passwords(message));
  write_line(line.text());
}

void AccessLog::write_line(const std::string& line) {
  constexpr std::size_t most_kept = 1U << 20U;
  const std::lock_guard lock(mutex_);
  write_kept(std::chrono::milliseconds(0));
  if (kept_.size() + line.size() >= most_kept) {
    ++dropped_;
    ++untold_;
    return;
  }
  if (untold_ != 0) {
    api::Document told;
    told.set("time", access_log_file::now_text()).set("event", "lines dropped");
    told.set("lines", static_cast<std::int64_t>(std::exchange(untold_, 0)));
    kept_ += told.text() + '\n';
  }
  kept_ += line + '\n';
  write_kept(std::chrono::milliseconds(0));
}

void AccessLog::settle(std::chrono::milliseconds patience) {
  const std::lock_guard lock(mutex_);
  write_kept(patience);
}

std::uint64_t AccessLog::dropped_lines() const {
  const std::lock_guard lock(mutex_);
  return dropped_;
}

void AccessLog::write_kept(std::chrono::milliseconds patience) {
  const auto end = std::chrono::steady_clock::now() + patience;
  while (!kept_.empty()) {
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(end - std::chrono::steady_clock::now());
    ::pollfd log{.fd = STDERR_FILENO, .events = POLLOUT, .revents = 0};
    if (::poll(&log, 1, static_cast<int>(std::max<std::int64_t>(0, left.count()))) <= 0) return;
    const ssize_t bytes = access_log_file::write_some(kept_);
    if (bytes >= 0) {
      kept_.erase(0, static_cast<std::size_t>(bytes));
    } else if (errno == EAGAIN || errno == EINTR) {
      if (left.count() <= 0) return;
    } else {  // nobody will read it, or the disk is full
      dropped_ += static_cast<std::uint64_t>(std::count(kept_.begin(), kept_.end(), '\n'));
      kept_.clear();
    }
  }
}

}  // namespace renyi::server
