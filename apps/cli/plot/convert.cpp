#include "apps/cli/plot/convert.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "apps/cli/io/output.h"

namespace renyi::cli::plot {
namespace convert_file {
namespace {

constexpr const char* program = "rsvg-convert";

using File = std::unique_ptr<std::FILE, int (*)(std::FILE*)>;

[[noreturn]] void fail(const std::string& what, int error_number) {
  throw Failure(exit_bad_input, fmt::format("{}: {}", what, std::strerror(error_number)));
}

// The program reads from an unnamed file instead of a pipe, so that neither process has to wait for the other.
File unnamed_file() {
  File file(std::tmpfile(), std::fclose);
  if (!file) fail("no temporary file for a picture", errno);
  return file;
}

File file_holding(const std::string& text) {
  File file = unnamed_file();
  const bool whole = std::fwrite(text.data(), 1, text.size(), file.get()) == text.size();
  if (!whole || std::fflush(file.get()) != 0 || lseek(fileno(file.get()), 0, SEEK_SET) != 0) {
    fail("no temporary file for a picture", errno);
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
    if (const int error = posix_spawn_file_actions_adddup2(&actions_, from, to); error != 0) fail(program, error);
  }
  const posix_spawn_file_actions_t* get() const { return &actions_; }

 private:
  posix_spawn_file_actions_t actions_{};
};

// Both ends of a pipe. The program's output comes through it, so that part of a picture on a full disk is never
// mistaken for the whole.
class Pipe {
 public:
  Pipe() {
    if (pipe2(ends_.data(), O_CLOEXEC) != 0) fail(program, errno);
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
      if (got < 0 && errno != EINTR) fail(program, errno);
      if (got > 0) text.append(buffer.data(), static_cast<std::size_t>(got));
    }
    return text;
  }

 private:
  std::array<int, 2> ends_{-1, -1};
};

pid_t start(const Redirections& redirections, std::vector<std::string> words) {
  std::vector<char*> arguments;
  for (std::string& word : words) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  pid_t child = 0;
  const int error = posix_spawnp(&child, program, redirections.get(), nullptr, arguments.data(), environ);
  if (error == ENOENT || error == ENOTDIR || error == EACCES) {
    throw Failure(exit_no_answer,
                  "PNG and PDF need rsvg-convert: apt-get install librsvg2-bin fonts-dejavu-core (SVG and plots in the "
                  "terminal need nothing)");
  }
  if (error != 0) fail(program, error);
  return child;
}

bool succeeds(pid_t child) {
  int status = 0;
  while (waitpid(child, &status, 0) < 0) {
    if (errno != EINTR) fail(program, errno);
  }
  return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

// Extracts the program's message, which is the last line that it wrote.
std::string last_line(const std::string& text) {
  const std::size_t end = text.find_last_not_of(" \n");
  if (end == std::string::npos) return "it says nothing";
  const std::size_t begin = text.find_last_of('\n', end);
  const std::string line = text.substr(begin + 1, end - begin);
  return line.substr(std::min(line.find_first_not_of(' '), line.size()));
}

std::vector<std::string> words_for(const Canvas& canvas) {
  if (canvas.medium == Medium::pdf) return {program, "--format", "pdf"};
  constexpr double points_an_inch = 72;
  const auto pixels = [&](double length) { return std::to_string(std::lround(length * canvas.dpi / points_an_inch)); };
  return {program, "--format", "png", "--width", pixels(canvas.width), "--height", pixels(canvas.height)};
}

}  // namespace
}  // namespace convert_file

// The program runs without a shell, and reads a document without any reference to a file.
std::string rendered(const std::string& svg, const Canvas& canvas) {
  using namespace convert_file;
  const File input = file_holding(svg), complaints = unnamed_file();
  Pipe picture;
  Redirections redirections;
  redirections.redirect(fileno(input.get()), STDIN_FILENO);
  redirections.redirect(picture.entrance(), STDOUT_FILENO);
  redirections.redirect(fileno(complaints.get()), STDERR_FILENO);
  const pid_t child = start(redirections, words_for(canvas));
  picture.close_entrance();
  std::string content = picture.rest();
  if (!succeeds(child)) {
    throw Failure(exit_no_answer, fmt::format("{} failed: {}", program, last_line(content_of(complaints))));
  }
  if (content.empty()) throw Failure(exit_no_answer, fmt::format("{} drew nothing", program));
  return content;
}

}  // namespace renyi::cli::plot
