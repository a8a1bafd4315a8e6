// The program ledger_worker (tests/ledger/worker) as a process that a test starts and kills.
#pragma once

#include <signal.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <cstdlib>
#include <stdexcept>
#include <string>
#include <thread>
#include <utility>
#include <vector>

namespace renyi::test {

inline std::int64_t size_of_file(const std::string& path) {
  struct stat found {};
  return ::stat(path.c_str(), &found) == 0 ? static_cast<std::int64_t>(found.st_size) : 0;
}

class WorkerProcess {
 public:
  using Variables = std::vector<std::pair<std::string, std::string>>;

  explicit WorkerProcess(std::vector<std::string> arguments, const Variables& variables = {}) {
    arguments.insert(arguments.begin(), RENYI_LEDGER_WORKER);
    std::vector<char*> values;
    for (std::string& argument : arguments) values.push_back(argument.data());
    values.push_back(nullptr);
    const pid_t test = getpid();
    process_ = fork();
    if (process_ < 0) throw std::runtime_error("no process");
    if (process_ == 0) {
      // Nothing outlives the test. The signal comes when the thread ends that started the process.
      if (prctl(PR_SET_PDEATHSIG, SIGKILL) != 0 || getppid() != test) _exit(4);
      for (const auto& [name, value] : variables) setenv(name.c_str(), value.c_str(), 1);
      execv(RENYI_LEDGER_WORKER, values.data());
      _exit(4);
    }
  }
  WorkerProcess(const WorkerProcess&) = delete;
  WorkerProcess& operator=(const WorkerProcess&) = delete;
  ~WorkerProcess() {
    if (process_ > 0) kill();
  }

  [[nodiscard]] bool is_running() {
    int status = 0;
    if (process_ > 0 && waitpid(process_, &status, WNOHANG) == process_) ended(status);
    return process_ > 0;
  }
  // Waits for its end; returns whether it did all that it was asked to.
  bool succeeds() {
    wait();
    return WIFEXITED(status_) && WEXITSTATUS(status_) == 0;
  }
  // Waits for its end; returns whether it was killed.
  bool dies() {
    wait();
    return WIFSIGNALED(status_) && WTERMSIG(status_) == SIGKILL;
  }
  void kill() {
    if (process_ > 0) ::kill(process_, SIGKILL);
    wait();
  }

 private:
  void wait() {
    int status = 0;
    if (process_ > 0 && waitpid(process_, &status, 0) == process_) ended(status);
  }
  void ended(int status) {
    status_ = status;
    process_ = -1;
  }

  pid_t process_ = -1;
  int status_ = 0;
};

inline bool run_worker(std::vector<std::string> arguments, const WorkerProcess::Variables& variables = {}) {
  return WorkerProcess(std::move(arguments), variables).succeeds();
}

}  // namespace renyi::test
