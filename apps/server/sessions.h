// Sessions of browsers: a cookie stands for a token, which the page so need not keep. They live in memory, and end with
// the server, with their token, or after half a day.
#pragma once

#include <chrono>
#include <map>
#include <mutex>
#include <optional>
#include <string>

namespace renyi::server {

struct Session {
  std::string token_id{};
  std::string csrf{};
  std::chrono::steady_clock::time_point ends{};
};

class Sessions {
 public:
  struct Begun {
    std::string cookie{};
    Session session{};
  };
  Begun begin(const std::string& token_id);
  std::optional<Session> find(const std::string& cookie);
  void end(const std::string& cookie);

 private:
  std::mutex mutex_;
  std::map<std::string, Session> sessions_;  // by the digest of the cookie
};

}  // namespace renyi::server
