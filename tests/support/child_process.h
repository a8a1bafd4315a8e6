// Runs a function in a forked process and returns what it reports, or runs this test program again.
#pragma once

#include <gtest/gtest.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cstddef>
#include <cstdlib>
#include <exception>
#include <string>

namespace renyi::test {

// Reads to the end of a pipe and closes it.
inline std::string all_of(int pipe_end) {
  std::string text;
  std::array<char, 4096> part{};
  for (ssize_t n = 0; (n = read(pipe_end, part.data(), part.size())) > 0;) {
    text.append(part.data(), static_cast<std::size_t>(n));
  }
  close(pipe_end);
  return text;
}

// Returns the text that `function` returned in a child process, or how the child ended if it did not return.
template <typename Function>
std::string in_child(Function function) {
  std::array<int, 2> ends{};
  if (pipe(ends.data()) != 0) return "no pipe";
  const pid_t child = fork();
  if (child < 0) return "no child";
  if (child == 0) {
    std::string report;
    try {
      report = function();
    } catch (const std::exception& error) {
      report = std::string("exception: ") + error.what();
    }
    for (std::size_t sent = 0; sent < report.size();) {
      const ssize_t n = write(ends[1], report.data() + sent, report.size() - sent);
      if (n <= 0) _exit(2);
      sent += static_cast<std::size_t>(n);
    }
    _exit(0);
  }
  close(ends[1]);
  std::string report = all_of(ends[0]);
  int status = 0;
  waitpid(child, &status, 0);
  return status == 0 ? report : "status " + std::to_string(status);
}

// From here on the kernel answers the system call with the error. This cannot be undone: for child processes only.
inline bool forbid_system_call(unsigned number, unsigned error) {
  std::array<sock_filter, 4> program = {
      sock_filter{BPF_LD | BPF_W | BPF_ABS, 0, 0, offsetof(seccomp_data, nr)},
      sock_filter{BPF_JMP | BPF_JEQ | BPF_K, 0, 1, number},
      sock_filter{BPF_RET | BPF_K, 0, 0, SECCOMP_RET_ERRNO | error},
      sock_filter{BPF_RET | BPF_K, 0, 0, SECCOMP_RET_ALLOW},
  };
  const sock_fprog filter{static_cast<unsigned short>(program.size()), program.data()};
  return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 && prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &filter) == 0;
}

// For tests that need a process in which nothing has happened yet. Whether this is it:
inline bool is_run_again() { return std::getenv("RENYI_TEST_RUN_AGAIN") != nullptr; }
// Runs the current test again in a new process, with a variable of the environment set; returns its output.
inline std::string run_again(const std::string& variable = "RENYI_TEST_RUN_AGAIN", const std::string& value = "1") {
  const testing::TestInfo& test = *testing::UnitTest::GetInstance()->current_test_info();
  const std::string filter = std::string("--gtest_filter=") + test.test_suite_name() + "." + test.name();
  std::array<int, 2> ends{};
  if (pipe(ends.data()) != 0) return "no pipe";
  const pid_t child = fork();
  if (child == 0) {
    setenv("RENYI_TEST_RUN_AGAIN", "1", 1);
    setenv(variable.c_str(), value.c_str(), 1);
    dup2(ends[1], 1);
    dup2(ends[1], 2);
    execl("/proc/self/exe", "tests", filter.c_str(), nullptr);
    _exit(3);
  }
  close(ends[1]);
  std::string output = all_of(ends[0]);
  waitpid(child, nullptr, 0);
  return output;
}

}  // namespace renyi::test
