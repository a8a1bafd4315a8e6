#include "apps/cli/plot/draw.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <spawn.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <memory>
#include <string>
#include <string_view>
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

// Runs gnuplot, without a shell, on the script; what it draws goes to the file open as `output`. Throws Failure: there
// is no gnuplot, or it refuses the script.
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

void require_content(int descriptor) {
  struct stat facts {};
  if (fstat(descriptor, &facts) != 0 || facts.st_size == 0) throw Failure(exit_no_answer, "gnuplot drew nothing");
}

// Without the form feed that gnuplot begins with, blanks at the ends of lines, and empty lines around it.
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

void save(const Figure& figure, const std::string& flag, const std::string& file) {
  const Canvas canvas = canvas_for(flag, file);
  const std::string script = gnuplot_script(figure, canvas);
  WholeFile picture(flag, file);
  if (canvas.medium == Medium::script) {
    picture.write(script);
  } else {
    draw_file::run_gnuplot(script, picture.descriptor());
    draw_file::require_content(picture.descriptor());
  }
  picture.put_into_place();
}

std::string for_standard_output(const Figure& figure) {
  const std::string script = gnuplot_script(figure, canvas_of_standard_output());
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> page(std::tmpfile(), std::fclose);
  if (!page) throw Failure(exit_bad_input, "no temporary file for gnuplot");
  draw_file::run_gnuplot(script, fileno(page.get()));
  draw_file::require_content(fileno(page.get()));
  std::rewind(page.get());
  std::string text;
  for (int c = 0; (c = std::fgetc(page.get())) != EOF;) text += static_cast<char>(c);
  return draw_file::trimmed(text);
}

}  // namespace renyi::cli::plot
