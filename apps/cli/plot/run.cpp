#include "apps/cli/plot/run.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <memory>
#include <string_view>
#include <vector>

#include "apps/cli/ask.h"

namespace renyi::cli::plot {
namespace {

using File = std::unique_ptr<std::FILE, int (*)(std::FILE*)>;

[[noreturn]] void fail(const std::string& what, int error_number) {
  throw Failure(exit_bad_input, fmt::format("{}: {}", what, std::strerror(error_number)));
}

// Files without names, not pipes: nobody has to wait for anybody.
File unnamed_file() {
  File file(std::tmpfile(), std::fclose);
  if (!file) fail("no temporary file for gnuplot", errno);
  return file;
}

File file_holding(const std::string& text) {
  File file = unnamed_file();
  const bool whole = std::fwrite(text.data(), 1, text.size(), file.get()) == text.size();
  if (!whole || std::fflush(file.get()) != 0 || lseek(fileno(file.get()), 0, SEEK_SET) != 0) {
    fail("no temporary file for gnuplot", errno);
  }
  return file;
}

std::string content_of(const File& file) {
  std::string text;
  std::array<char, 4096> buffer{};
  std::rewind(file.get());
  for (std::size_t got = 0; (got = std::fread(buffer.data(), 1, buffer.size(), file.get())) > 0;) {
    text.append(buffer.data(), got);
  }
  return text;
}

class Redirections {
 public:
  Redirections() { posix_spawn_file_actions_init(&actions_); }
  Redirections(const Redirections&) = delete;
  Redirections& operator=(const Redirections&) = delete;
  ~Redirections() { posix_spawn_file_actions_destroy(&actions_); }

  void redirect(int from, int to) {
    if (const int error = posix_spawn_file_actions_adddup2(&actions_, from, to); error != 0) fail("gnuplot", error);
  }
  const posix_spawn_file_actions_t* get() const { return &actions_; }

 private:
  posix_spawn_file_actions_t actions_{};
};

// A second descriptor of the same file, none of the standard ones: where those are closed, files may have their
// numbers, and one redirection would replace what the next is to be made from.
class Apart {
 public:
  explicit Apart(int descriptor) : number_(fcntl(descriptor, F_DUPFD_CLOEXEC, STDERR_FILENO + 1)) {
    if (number_ < 0) fail("gnuplot", errno);
  }
  Apart(const Apart&) = delete;
  Apart& operator=(const Apart&) = delete;
  ~Apart() { close(number_); }

  int number() const noexcept { return number_; }

 private:
  int number_;
};

// The user's, without the terminal that gnuplot would open before it reads our script.
std::vector<char*> environment() {
  std::vector<char*> variables;
  for (char** variable = environ; *variable != nullptr; ++variable) {
    if (!std::string_view(*variable).starts_with("GNUTERM=")) variables.push_back(*variable);
  }
  variables.push_back(nullptr);
  return variables;
}

// -d: the user's settings must not change our figures.
pid_t start(const Redirections& redirections) {
  std::string program = "gnuplot", defaults = "-d";
  const std::array<char*, 3> arguments{program.data(), defaults.data(), nullptr};
  pid_t child = 0;
  const int error =
      posix_spawnp(&child, "gnuplot", redirections.get(), nullptr, arguments.data(), environment().data());
  if (error == ENOENT || error == ENOTDIR || error == EACCES) {
    throw Failure(exit_no_answer, "plots need gnuplot: apt-get install gnuplot-nox");
  }
  if (error != 0) fail("gnuplot", error);
  return child;
}

bool succeeds(pid_t child) {
  int status = 0;
  while (waitpid(child, &status, 0) < 0) {
    if (errno != EINTR) fail("gnuplot", errno);
  }
  return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

// "line 0: unknown terminal type": its complaint without the drawing of where in the script.
std::string last_line(const std::string& text) {
  const std::size_t end = text.find_last_not_of(" \n");
  if (end == std::string::npos) return "it says nothing";
  const std::size_t begin = text.find_last_of('\n', end);
  const std::string line = text.substr(begin + 1, end - begin);
  return line.substr(std::min(line.find_first_not_of(' '), line.size()));
}

}  // namespace

void run_gnuplot(const std::string& script, int output) {
  const File input = file_holding(script), complaints = unnamed_file();
  const Apart from(fileno(input.get())), to(output), aside(fileno(complaints.get()));
  Redirections redirections;
  redirections.redirect(from.number(), STDIN_FILENO);
  redirections.redirect(to.number(), STDOUT_FILENO);
  redirections.redirect(aside.number(), STDERR_FILENO);
  if (succeeds(start(redirections))) return;
  throw Failure(exit_no_answer, fmt::format("gnuplot failed: {}", last_line(content_of(complaints))));
}

}  // namespace renyi::cli::plot
