// The limit on failed attempts to present a token. An address that fails again and again is answered 429 for a while,
// and its tokens are not looked at, except those that were valid from this address within the last hour: a program that
// guesses does not lock out the others behind the same address. A valid token that is new to such an address waits for
// a few seconds. There is no limit beyond that of an address: nobody finds 256 random bits from many addresses either,
// and it would hold up everybody else.
#pragma once

#include <chrono>
#include <map>
#include <mutex>
#include <string>

namespace renyi::server {

class Attempts {
 public:
  using Time = std::chrono::steady_clock::time_point;

  // Returns how long this address has to wait before the token, given by its digest, is looked at; 0 if it need not.
  std::chrono::seconds wait(const std::string& peer, const std::string& digest, Time now);
  void failed(const std::string& peer, Time now);
  void succeeded(const std::string& peer, const std::string& digest, Time now);

  static constexpr double most_for_peer = 10;
  static constexpr double seconds_for_peer = 6;  // after which one more may fail

 private:
  struct Failures {
    double count = 0;
    Time last{};
    void forget(Time now);
  };

  std::mutex mutex_;
  std::map<std::string, Failures> peers_;
  std::map<std::string, Time> known_;  // address and digest of tokens that were valid
};

}  // namespace renyi::server
