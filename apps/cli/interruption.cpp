#include "apps/cli/interruption.h"

#include <atomic>

namespace renyi::cli {
namespace {

// Any thread may be the one that is interrupted.
std::atomic<int> noted{0};
static_assert(std::atomic<int>::is_always_lock_free, "a signal handler must not wait");

void note(int signal) { noted = signal; }

}  // namespace

Interruption::Interruption() {
  noted = 0;
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) {
    Before before{.signal = signal};
    sigaction(signal, nullptr, &before.action);
    if (before.action.sa_handler == SIG_IGN) continue;
    struct sigaction action {};
    action.sa_handler = note;
    action.sa_flags = SA_RESTART | static_cast<int>(SA_RESETHAND);
    sigaction(signal, &action, nullptr);
    before_.push_back(before);
  }
}

Interruption::~Interruption() {
  for (const Before& before : before_) sigaction(before.signal, &before.action, nullptr);
}

int Interruption::signal() noexcept { return noted; }

}  // namespace renyi::cli
