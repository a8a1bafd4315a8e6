// read_grid on any bytes: a typed error, or a grid whose first and last configurations are requests without axes, and
// which reads back as the same from what it was read as.
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string_view>

#include "api/sweep/grid.h"
#include "renyi/error.h"

namespace {

using namespace renyi::api;

void require(bool condition, std::string_view what, std::string_view text) {
  if (condition) return;
  std::fprintf(stderr, "%.*s: %.*s\n", static_cast<int>(what.size()), what.data(), static_cast<int>(text.size()),
               text.data());
  std::abort();
}

// Is there still an axis in the request of a configuration?
bool is_grid(const renyi::api::Document& request) {
  renyi::api::Document grid;
  grid.set("renyi-sweep", 1).set("request", request);
  try {
    sweep::read_grid(grid.text());
    return true;
  } catch (const renyi::InvalidArgument&) {
    return false;
  }
}

void check(const sweep::Grid& grid, std::string_view text) {
  sweep::Configuration configuration(grid);
  for (const std::uint64_t index : {std::uint64_t{0}, grid.size - 1}) {
    configuration.go_to(index);
    require(!is_grid(configuration.request()), "an axis that was not replaced", text);
    for (std::size_t i = 0; i < grid.axes.size(); ++i) {
      const auto& values = grid.axes[i].values;
      const auto& expected = index == 0 ? values.front() : values.back();
      require(configuration.value(i).text() == expected.text(), "another value", text);
    }
  }
  const sweep::Grid again = sweep::read_grid(grid.document.text());
  require(again.size == grid.size && again.document.text() == grid.document.text(), "another grid when read back",
          text);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  try {
    check(sweep::read_grid(text), text);
  } catch (const renyi::InvalidArgument&) {  // as it should be
  }
  return 0;
}
