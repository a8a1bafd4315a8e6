// Sweeps: the rows of a grid, computed on all cores.
#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>
#include <thread>

#include "api/sweep/run.h"
#include "bindings.h"
#include "gil.h"

namespace renyi::python {
namespace sweep_file {
namespace {

using api::sweep::Block;
using api::sweep::Format;

// Returns the rows as JSON Lines. Control-C ends the work after the rows that are under way. `jobs` is the number of
// threads; 0 means one per core.
py::str rows_of(const std::string& grid_text, unsigned jobs) {
  std::string rows;
  {
    const WithoutGil unlocked;
    const api::sweep::Grid grid = api::sweep::read_grid(grid_text);
    check_request(grid);
    const unsigned threads = jobs == 0 ? std::max(1U, std::thread::hardware_concurrency()) : jobs;
    api::sweep::run(
        api::sweep::Rows(grid, Format::jsonl), {.jobs = threads}, [&](const Block& block) { rows += block.text; },
        [] {
          heed_signals();
          return true;
        });
  }
  return rows;
}

// Returns the table of the same rows as CSV, as the command writes it.
py::str table_of(const std::string& grid_text, const std::string& rows) {
  std::string table;
  {
    const WithoutGil unlocked;
    const api::sweep::Grid grid = api::sweep::read_grid(grid_text);
    const api::sweep::Rows lines(grid, Format::csv);
    api::sweep::Configuration configuration(grid);
    table = lines.header();
    std::string_view rest = rows;
    while (!rest.empty()) {
      const std::size_t end = rest.find('\n');
      lines.append_again(table, rest.substr(0, end), configuration);
      rest.remove_prefix(end + 1);
    }
  }
  return table;
}

py::list axes_of(const std::string& grid_text) {
  py::list paths;
  for (const api::sweep::Axis& axis : api::sweep::read_grid(grid_text).axes) paths.append(axis.path);
  return paths;
}

}  // namespace
}  // namespace sweep_file

void bind_sweep(py::module_& module) {
  module.def("sweep_rows", &sweep_file::rows_of, py::arg("grid"), py::arg("jobs"));
  module.def("sweep_table", &sweep_file::table_of, py::arg("grid"), py::arg("rows"));
  module.def("sweep_axes", &sweep_file::axes_of, py::arg("grid"));
}

}  // namespace renyi::python
