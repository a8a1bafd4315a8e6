// The log of requests: one line of JSON each, on standard error. It has no bodies, queries, cookies, keys or tokens.
#pragma once

#include <cstddef>
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

 private:
  void write_line(const std::string& line);

  bool is_on_;
  std::mutex mutex_;
};

// Returns a text of a client for the log: of bounded length, without what looks like a token.
std::string for_log(std::string_view text);

}  // namespace renyi::server
