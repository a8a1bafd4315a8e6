// Control-C and the like, as something to ask about instead of something that happens.
#pragma once

#include <csignal>
#include <vector>

namespace renyi::cli {

// While it lives, a first SIGINT, SIGTERM or SIGHUP is only noted; a second of the same kind ends the program. What the
// program was told to ignore (nohup) stays ignored.
class Interruption {
 public:
  Interruption();
  Interruption(const Interruption&) = delete;
  Interruption& operator=(const Interruption&) = delete;
  ~Interruption();

  // The signal that came, or 0.
  static int signal() noexcept;

 private:
  struct Before {
    int signal = 0;
    struct sigaction action {};
  };
  std::vector<Before> before_;
};

}  // namespace renyi::cli
