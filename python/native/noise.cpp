// Noise on arrays: the values are read and written by the buffer protocol, while other threads of Python run.
#include "renyi/noise.h"

#include <pybind11/stl.h>

#include <cstdint>
#include <optional>
#include <span>
#include <stdexcept>
#include <string_view>
#include <type_traits>
#include <vector>

#include "arrays.h"
#include "bindings.h"
#include "gil.h"

namespace renyi::python {
namespace noise_file {
namespace {

// The letters by which buffers name their elements: two types of C have 64 bits.
template <class Number>
constexpr std::string_view letters() {
  if constexpr (std::is_same_v<Number, double>) return "d";
  if constexpr (std::is_same_v<Number, float>) return "f";
  if constexpr (std::is_same_v<Number, std::uint8_t>) return "B?";
  return std::is_signed_v<Number> ? "lq" : "LQ";
}

// A column of numbers that Python holds. The array cannot change its size while this exists.
template <class Number>
class Column {
 public:
  Column(const py::buffer& array, bool writable) : info_(array.request(writable)) {
    const bool dense = info_.ndim == 1 && (info_.shape[0] <= 1 || info_.strides[0] == info_.itemsize);
    const bool named = info_.format.size() == 1 && letters<Number>().find(info_.format[0]) != std::string_view::npos;
    if (!dense || !named || info_.itemsize != sizeof(Number)) throw std::logic_error("not a column of these numbers");
  }
  std::size_t size() const { return static_cast<std::size_t>(info_.shape[0]); }
  Number* data() const { return static_cast<Number*>(info_.ptr); }

 private:
  py::buffer_info info_;
};

// Returns the facts in the order in which Python reads them.
py::tuple facts(const noise::Release& release) {
  return py::make_tuple(release.mechanism, release.step, release.draws, release.timing_delta, release.grid,
                        release.range, release.effective_stddev);
}

template <class Draw>
py::tuple drawn(const Draw& draw) {
  noise::Release release;
  {
    const WithoutGil unlocked;
    release = draw();
  }
  return facts(release);
}

// Noise on the values of one array, written to another one; `draw` is called with both.
template <class Number, class Draw>
py::tuple added(const py::buffer& values, const py::buffer& out, const Draw& draw) {
  const Column<Number> from(values, false), to(out, true);
  if (from.size() != to.size()) throw std::logic_error("arrays of different sizes");
  return drawn(
      [&] { return draw(std::span<const Number>(from.data(), from.size()), std::span<Number>(to.data(), to.size())); });
}

template <class Number, class Draw>
py::tuple filled(const py::buffer& out, const Draw& draw) {
  const Column<Number> to(out, true);
  return drawn([&] { return draw(std::span<Number>(to.data(), to.size())); });
}

template <class Draw>
py::tuple added_on_grid(const py::buffer& values, const py::buffer& out, const Draw& draw) {
  return values.request().format == "f" ? added<float>(values, out, draw) : added<double>(values, out, draw);
}

template <class Choose>
py::tuple chosen(const py::buffer& scores, const Choose& choose) {
  const Column<double> from(scores, false);
  noise::Choice choice;
  {
    const WithoutGil unlocked;
    choice = choose(std::span<const double>(from.data(), from.size()));
  }
  return py::make_tuple(choice.index, facts(choice.release));
}

using Optional = std::optional<double>;

py::tuple gaussian(const py::buffer& values, const py::buffer& out, double stddev, Optional grid, Optional range,
                   double sensitivity) {
  return added_on_grid(values, out, [&](auto from, auto to) {
    return noise::gaussian(from, to, stddev, {grid, range, sensitivity});
  });
}

py::tuple laplace(const py::buffer& values, const py::buffer& out, double scale, Optional grid, Optional range,
                  double sensitivity) {
  return added_on_grid(values, out, [&](auto from, auto to) {
    return noise::laplace(from, to, scale, {grid, range, sensitivity});
  });
}

// A law on whole numbers with one parameter and a sensitivity.
using WholeLaw = noise::Release (*)(std::span<const std::int64_t>, std::span<std::int64_t>, double, double);
template <WholeLaw law>
py::tuple whole(const py::buffer& values, const py::buffer& out, double parameter, double sensitivity) {
  return added<std::int64_t>(values, out, [&](auto from, auto to) { return law(from, to, parameter, sensitivity); });
}

py::tuple randomized_response(const py::buffer& values, const py::buffer& out, double truth_probability,
                              std::int64_t categories) {
  return added<std::int64_t>(values, out, [&](auto from, auto to) {
    return noise::randomized_response(from, to, truth_probability, categories);
  });
}

// Coins with one parameter.
using Coins = noise::Release (*)(std::span<std::uint8_t>, double);
template <Coins coins>
py::tuple flipped(const py::buffer& out, double parameter) {
  return filled<std::uint8_t>(out, [&](auto to) { return coins(to, parameter); });
}

// The records of a sample, for numpy.frombuffer.
template <class Draw>
py::bytearray records(const Draw& draw) {
  std::vector<std::uint64_t> drawn;
  {
    const WithoutGil unlocked;
    drawn = draw();
  }
  return write_column(drawn);
}

using Choosing = noise::Choice (*)(std::span<const double>, double, const noise::Scores&);
template <Choosing choose>
py::tuple choice(const py::buffer& scores, double parameter, double sensitivity, bool monotonic, double range) {
  return chosen(scores, [&](auto from) { return choose(from, parameter, {sensitivity, monotonic, range}); });
}

}  // namespace
}  // namespace noise_file

void bind_noise(py::module_& module) {
  module.def("noise_gaussian", &noise_file::gaussian);
  module.def("noise_laplace", &noise_file::laplace);
  module.def("noise_discrete_gaussian", &noise_file::whole<&noise::discrete_gaussian>);
  module.def("noise_discrete_laplace", &noise_file::whole<&noise::discrete_laplace>);
  module.def("noise_skellam", &noise_file::whole<&noise::skellam>);
  module.def("noise_geometric", [](const py::buffer& out, double scale) {
    return noise_file::filled<std::int64_t>(out, [&](auto to) { return noise::geometric(to, scale); });
  });
  module.def("noise_bernoulli", &noise_file::flipped<&noise::bernoulli>);
  module.def("noise_bernoulli_exp", &noise_file::flipped<&noise::bernoulli_exp>);
  module.def("noise_randomized_response", &noise_file::randomized_response);
  module.def("noise_exponential", &noise_file::choice<&noise::exponential>);
  module.def("noise_permute_and_flip", &noise_file::choice<&noise::permute_and_flip>);
  module.def("noise_report_noisy_max", &noise_file::choice<&noise::report_noisy_max>);
  module.def("noise_poisson_sample", &noise_file::flipped<&noise::poisson_sample>);
  module.def("noise_fixed_size_sample", [](const py::buffer& out, std::uint64_t sample_size) {
    return noise_file::filled<std::uint8_t>(out, [&](auto to) { return noise::fixed_size_sample(to, sample_size); });
  });
  module.def("noise_random_allocation", [](const py::buffer& out, std::uint64_t steps) {
    return noise_file::filled<std::uint64_t>(out, [&](auto to) { return noise::random_allocation(to, steps); });
  });
  module.def("noise_poisson_records", [](std::uint64_t records, double sampling_rate) {
    return noise_file::records([&] { return noise::poisson_records(records, sampling_rate); });
  });
  module.def("noise_fixed_size_records", [](std::uint64_t records, std::uint64_t sample_size) {
    return noise_file::records([&] { return noise::fixed_size_records(records, sample_size); });
  });
  module.def("noise_shuffle", [](const py::buffer& out) {
    return noise_file::filled<std::uint64_t>(out, [](auto to) { return noise::shuffle(to); });
  });
}

}  // namespace renyi::python
