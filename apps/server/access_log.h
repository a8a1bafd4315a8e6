// The log of requests: one line of JSON each, on standard error. It has no bodies, queries, cookies, keys or tokens.
// Nobody waits for whoever reads it: lines that it does not take are kept up to a bound, then counted and dropped.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <string>
#include <string_view>

namespace renyi::server {

struct AccessRecord {
  std::string id{};
  std::string peer{};
  std::string method{};
  std::string path{};  // without the query
  int status = 0;
  double milliseconds = 0;
  std::size_t bytes = 0;  // the size of the response's body
  std::string token_id{};
  std::string token_name{};
  std::string role{};
  std::string error_kind{};  // why it was refused
  bool refused_by_budget = false;
};

class AccessLog {
 public:
  explicit AccessLog(bool is_on) : is_on_(is_on) {}
  void write(const AccessRecord& record);
  // Writes a line about the server itself.
  void note(std::string_view event, std::string_view message = {});
  // Writes what is kept, and waits no longer than this for the reader.
  void settle(std::chrono::milliseconds patience);
  [[nodiscard]] std::uint64_t dropped_lines() const;

 private:
  void write_line(const std::string& line);
  void write_kept(std::chrono::milliseconds patience);

  bool is_on_;
  mutable std::mutex mutex_;
  std::string kept_;           // lines, the first of which may be written in part
  std::uint64_t dropped_ = 0;  // lines
  std::uint64_t untold_ = 0;   // those of them that the log has not told of
};

// Returns a text of a client for the log: of bounded length, without what looks like a token.
std::string for_log(std::string_view text);

}  // namespace renyi::server
