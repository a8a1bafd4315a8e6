#include "apps/server/access_log.h"

#include <unistd.h>

#include <array>
#include <chrono>
#include <cmath>
#include <ctime>

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

// A log that cannot be written must not stop the server.
void AccessLog::write_line(const std::string& line) {
  const std::string whole = line + '\n';
  const std::lock_guard lock(mutex_);
  std::string_view left = whole;
  while (!left.empty()) {
    const ssize_t bytes = ::write(STDERR_FILENO, left.data(), left.size());
    if (bytes <= 0) return;
    left.remove_prefix(static_cast<std::size_t>(bytes));
  }
}

}  // namespace renyi::server
