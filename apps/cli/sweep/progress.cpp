#include "apps/cli/sweep/progress.h"

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>

#include "apps/cli/io/output.h"

namespace renyi::cli {

namespace progress_file {
namespace {

using std::chrono::milliseconds;

constexpr milliseconds pause{200};
constexpr std::size_t usual_width = 80;
constexpr std::size_t longest_bar = 24;
constexpr std::size_t shortest_bar = 4;

// Formats a number with commas, as in "1,234,567".
std::string with_commas(std::uint64_t number) {
  std::string text = fmt::format("{}", number);
  for (std::size_t at = text.size(); at > 3;) text.insert(at -= 3, ",");
  return text;
}

std::string rate(double each_second) {
  if (each_second < 10) return fmt::format("{:.1f}/s", each_second);
  // Three digits suffice.
  const double unit = std::pow(10, std::floor(std::log10(each_second)) - 2);
  return with_commas(static_cast<std::uint64_t>(
             std::llround(std::max(unit, 1.0) * std::round(each_second / std::max(unit, 1.0))))) +
         "/s";
}

std::string duration(double seconds) {
  constexpr double minute = 60, hour = 60 * minute, day = 24 * hour, long_time = 1000 * day;
  if (seconds < 100) return fmt::format("{:.0f} s", seconds);
  if (seconds < 100 * minute) return fmt::format("{:.0f} min", seconds / minute);
  if (seconds < 48 * hour) return fmt::format("{:.0f} h", seconds / hour);
  return seconds < long_time ? fmt::format("{:.0f} days", seconds / day) : "years";
}

// The result is never 100 % before the end.
std::uint64_t percent(const SweepState& standing) {
  if (standing.done == standing.total) return 100;
  return std::min<std::uint64_t>(
      99, static_cast<std::uint64_t>(100 * (static_cast<double>(standing.done) / static_cast<double>(standing.total))));
}

std::string in_numbers(const SweepState& standing) {
  std::string text =
      fmt::format("{:3} %  {} of {}", percent(standing), with_commas(standing.done), with_commas(standing.total));
  if (standing.made == 0 || !(standing.seconds > 0)) return text;
  const double each_second = static_cast<double>(standing.made) / standing.seconds;
  text += "  " + rate(each_second);
  const auto left = static_cast<double>(standing.total - standing.done);
  return text + (left > 0 ? fmt::format("  {} left", duration(left / each_second))
                          : fmt::format("  in {}", duration(standing.seconds)));
}

std::string bar(const SweepState& standing, std::size_t length) {
  const auto full = static_cast<std::size_t>(static_cast<double>(length) * static_cast<double>(standing.done) /
                                             static_cast<double>(standing.total));
  return fmt::format("[{:.<{}}]  ", std::string(std::min(full, length), '#'), length);
}

std::size_t terminal_width() {
  winsize size{};
  return ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0 ? size.ws_col : usual_width;
}

}  // namespace
}  // namespace progress_file

std::string progress_line(const SweepState& standing, std::size_t width) {
  constexpr std::size_t around_bar = 4;
  const std::string numbers = progress_file::in_numbers(standing);
  if (numbers.size() + around_bar + progress_file::shortest_bar > width) return numbers.substr(0, width);
  return progress_file::bar(standing, std::min(progress_file::longest_bar, width - numbers.size() - around_bar)) +
         numbers;
}

Progress::Progress(std::uint64_t done, std::uint64_t total, bool shown)
    : shown_(shown && isatty(STDERR_FILENO) != 0), first_(done), total_(total) {}

Progress::~Progress() {
  if (columns_used_ > 0) print_to_stderr("\n");
}

void Progress::update(std::uint64_t done) {
  const auto now = Clock::now();
  if (!shown_ || (done < total_ && now - last_ < progress_file::pause)) return;
  last_ = now;
  show(done, now);
}

// The last column stays free: some terminals would wrap.
void Progress::show(std::uint64_t done, Clock::time_point now) {
  const std::string line = progress_line({.done = done,
                                          .total = total_,
                                          .made = done - first_,
                                          .seconds = std::chrono::duration<double>(now - start_).count()},
                                         progress_file::terminal_width() - 1);
  print_to_stderr(fmt::format("\r{:{}}", line, columns_used_));
  columns_used_ = line.size();
}

}  // namespace renyi::cli
