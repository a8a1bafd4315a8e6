#include "apps/cli/io/output.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace renyi::cli {
namespace output_file {
namespace {

[[noreturn]] void fail() {
  const int number = errno;
  throw OutputError(number, fmt::format("standard output: {}", std::strerror(number)));
}

bool is_set(const char* name) {
  const char* value = std::getenv(name);
  return value != nullptr && *value != '\0';
}

}  // namespace
}  // namespace output_file

// The descriptor is opened for the opposite direction, so that using it fails as using a closed one does. open()
// returns the lowest free number, which is the closed one because those below it are open by then.
void keep_standard_descriptors() {
  for (const int descriptor : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
    if (fcntl(descriptor, F_GETFD) >= 0) continue;
    const int kept = open("/dev/null", descriptor == STDIN_FILENO ? O_WRONLY : O_RDONLY);
    if (kept != descriptor) std::_Exit(exit_bad_input);  // there is no stream for a message
  }
}

void check_reader() {
  pollfd output{.fd = STDOUT_FILENO, .events = 0, .revents = 0};
  if (poll(&output, 1, 0) <= 0 || (output.revents & (POLLERR | POLLHUP)) == 0) return;
  errno = EPIPE;
  output_file::fail();
}

void print(std::string_view text) {
  if (std::fwrite(text.data(), 1, text.size(), stdout) != text.size()) output_file::fail();
}

void flush_output() {
  if (std::fflush(stdout) != 0) output_file::fail();
}

void print_to_stderr(std::string_view text) {
  std::fwrite(text.data(), 1, text.size(), stderr);
  std::fflush(stderr);
}

Style Style::of_standard_output() { return Style(isatty(STDOUT_FILENO) != 0 && !output_file::is_set("NO_COLOR")); }

std::string Style::strong(std::string_view text) const {
  return colour_ ? fmt::format("\033[1m{}\033[0m", text) : std::string(text);
}

std::string Style::alarming(std::string_view text) const {
  return colour_ ? fmt::format("\033[33m{}\033[0m", text) : std::string(text);
}

std::string wrapped(std::string_view text, std::size_t indent, std::size_t width) {
  std::string result;
  std::size_t column = indent;
  while (!text.empty()) {
    const auto end = std::min(text.find(' '), text.size());
    if (column > indent && column + 1 + end > width) {
      result += '\n' + std::string(indent, ' ');
      column = indent;
    } else if (column > indent) {
      result += ' ';
      ++column;
    }
    result += text.substr(0, end);
    column += end;
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return result;
}

}  // namespace renyi::cli
