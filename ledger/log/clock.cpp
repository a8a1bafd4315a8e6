#include "ledger/log/clock.h"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <algorithm>

namespace renyi::ledger {

namespace clock_file {
namespace {

Time (*current)() = nullptr;

}  // namespace
}  // namespace clock_file

Time now() { return clock_file::current != nullptr ? clock_file::current() : std::chrono::system_clock::now(); }

void set_clock(Time (*clock)()) noexcept { clock_file::current = clock; }

// Years have four digits, so that texts are ordered as times are: a clock beyond 9999, or before 1970, is cut off
// there.
std::string text_of(Time time) {
  using std::chrono::milliseconds;
  constexpr milliseconds last{253402300799999};  // 9999-12-31T23:59:59.999Z
  const auto since = std::chrono::duration_cast<milliseconds>(time.time_since_epoch());
  const auto kept = std::clamp(since, milliseconds(0), last);
  const std::time_t seconds = kept.count() / 1000;
  return fmt::format("{:%Y-%m-%dT%H:%M:%S}.{:03}Z", fmt::gmtime(seconds), kept.count() % 1000);
}

bool is_time(std::string_view text) noexcept {
  constexpr std::string_view form = "dddd-dd-ddTdd:dd:dd.dddZ";
  if (text.size() > form.size()) return false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (form[i] == 'd' ? text[i] < '0' || text[i] > '9' : text[i] != form[i]) return false;
  }
  const bool is_whole = text.size() == form.size() || form[text.size()] != 'd';
  if (text.size() < 4 || !is_whole || (text.size() < form.size() && form[text.size() - 1] != 'd')) return false;
  const auto number = [&](std::size_t from, std::size_t digits, int otherwise) {
    if (text.size() < from + digits) return otherwise;
    int value = 0;
    for (std::size_t i = from; i < from + digits; ++i) value = 10 * value + (text[i] - '0');
    return value;
  };
  const std::chrono::year_month_day day{std::chrono::year(number(0, 4, 0)),
                                        std::chrono::month(static_cast<unsigned>(number(5, 2, 1))),
                                        std::chrono::day(static_cast<unsigned>(number(8, 2, 1)))};
  return day.ok() && number(11, 2, 0) < 24 && number(14, 2, 0) < 60 && number(17, 2, 0) < 60;
}

}  // namespace renyi::ledger
