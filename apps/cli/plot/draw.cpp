#include "apps/cli/plot/draw.h"

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
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "apps/cli/io/files.h"
#include "apps/cli/io/output.h"
#include "apps/cli/plot/canvas.h"
#include "apps/cli/plot/script.h"

namespace renyi::cli::plot {
namespace draw_file {
namespace {

using File = std::unique_ptr<std::FILE, int (*)(std::FILE*)>;

[[noreturn]] void fail(const std::string& what, int error_number) {
  throw Failure(exit_bad_input, fmt::format("{}: {}", what, std::strerror(error_number)));
}

// gnuplot reads from unnamed files instead of pipes, so that neither process has to wait for the other.
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

// Both ends of a pipe. gnuplot's output comes through it, so that part of a picture on a full disk is never mistaken
// for the whole.
class Pipe {
 public:
  Pipe() {
    if (pipe2(ends_.data(), O_CLOEXEC) != 0) fail("gnuplot", errno);
  }
  Pipe(const Pipe&) = delete;
  Pipe& operator=(const Pipe&) = delete;
  ~Pipe() {
    close(ends_[0]);
    close_entrance();
  }

  int entrance() const noexcept { return ends_[1]; }
  void close_entrance() {
    if (ends_[1] >= 0) close(std::exchange(ends_[1], -1));
  }
  // Reads everything until no process has the writing end open.
  std::string rest() const {
    std::string text;
    std::array<char, 65536> buffer{};
    ssize_t got = 0;
    while ((got = read(ends_[0], buffer.data(), buffer.size())) != 0) {
      if (got < 0 && errno != EINTR) fail("gnuplot", errno);
      if (got > 0) text.append(buffer.data(), static_cast<std::size_t>(got));
    }
    return text;
  }

 private:
  std::array<int, 2> ends_{-1, -1};
};

// Returns the user's environment without the variable that names a terminal, which gnuplot would open before it reads
// our script.
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

// Extracts gnuplot's message, as in "line 0: unknown terminal type", without the lines that show its place in the
// script.
std::string last_line(const std::string& text) {
  const std::size_t end = text.find_last_not_of(" \n");
  if (end == std::string::npos) return "it says nothing";
  const std::size_t begin = text.find_last_of('\n', end);
  const std::string line = text.substr(begin + 1, end - begin);
  return line.substr(std::min(line.find_first_not_of(' '), line.size()));
}

// Runs gnuplot, without a shell, on the script and returns what it draws. Throws Failure if there is no gnuplot, or if
// it refuses the script.
std::string drawn(const std::string& script) {
  const File input = file_holding(script), complaints = unnamed_file();
  Pipe picture;
  Redirections redirections;
  redirections.redirect(fileno(input.get()), STDIN_FILENO);
  redirections.redirect(picture.entrance(), STDOUT_FILENO);
  redirections.redirect(fileno(complaints.get()), STDERR_FILENO);
  const pid_t child = start(redirections);
  picture.close_entrance();
  std::string content = picture.rest();
  if (!succeeds(child)) {
    throw Failure(exit_no_answer, fmt::format("gnuplot failed: {}", last_line(content_of(complaints))));
  }
  if (content.empty()) throw Failure(exit_no_answer, "gnuplot drew nothing");
  return content;
}

// Removes the form feed with which gnuplot starts, trailing blanks, and empty lines before and after the drawing.
std::string trimmed(const std::string& page) {
  std::string text, line;
  for (const char c : page) {
    if (c == '\f') continue;
    if (c != '\n') {
      line += c;
      continue;
    }
    line.erase(line.find_last_not_of(' ') + 1);
    if (!text.empty() || !line.empty()) text += line + '\n';
    line.clear();
  }
  text.erase(text.find_last_not_of('\n') + 1);
  return text + '\n';
}

}  // namespace
}  // namespace draw_file

void check_picture(const std::string& flag, const std::string& file) {
  canvas_for(flag, file);
  check_target(flag, file);
}

void save(const Figure& figure, const std::string& flag, const std::string& file) {
  const Canvas canvas = canvas_for(flag, file);
  const std::string script = gnuplot_script(figure, canvas);
  AtomicFile picture(flag, file);
  picture.write(canvas.medium == Medium::script ? script : draw_file::drawn(script));
  picture.put_into_place();
}

std::string for_standard_output(const Figure& figure) {
  return draw_file::trimmed(draw_file::drawn(gnuplot_script(figure, canvas_of_standard_output())));
}

}  // namespace renyi::cli::plot
