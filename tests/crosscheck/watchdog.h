// Ends the program, with the question, when an answer does not come.
#pragma once

#include <chrono>
#include <condition_variable>
#include <mutex>
#include <string>
#include <thread>

namespace renyi::crosscheck {

class Watchdog {
 public:
  explicit Watchdog(std::chrono::seconds patience);
  ~Watchdog();
  Watchdog(const Watchdog&) = delete;
  Watchdog& operator=(const Watchdog&) = delete;

  // From now on this is what is waited for; nothing when the text is empty.
  void wait_for(std::string question);

 private:
  void watch();

  std::chrono::seconds patience_;
  std::mutex mutex_{};
  std::condition_variable changed_{};
  std::string question_{};
  unsigned long number_ = 0;  // number of the question
  bool done_ = false;
  std::thread thread_;
};

}  // namespace renyi::crosscheck
