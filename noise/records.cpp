#include "noise/records.h"

#include <fmt/format.h>

#include <algorithm>

#include "noise/block_source.h"
#include "noise/parameters.h"
#include "renyi/error.h"
#include "renyi/noise.h"

namespace renyi::noise {
namespace records_file {
namespace {

// Beyond this, the list of a sample would not fit into any memory.
constexpr std::uint64_t most_records = std::uint64_t{1} << 40U;

void check_records(std::uint64_t records) {
  if (records <= most_records) return;
  throw InvalidArgument("records", fmt::format("{}", records), fmt::format("a whole number in [0, {}]", most_records));
}

}  // namespace
}  // namespace records_file

std::vector<std::uint64_t> poisson_records(std::uint64_t records, double sampling_rate) {
  records_file::check_records(records);
  check_within("sampling_rate", sampling_rate, 0, 1);
  // About eight words decide the records of one.
  const std::uint64_t words = records / 8 + 8;
  BlockSource source(bits_for_release(words), words);
  return take_poisson_records(source, records, sampling_rate);
}

std::vector<std::uint64_t> fixed_size_records(std::uint64_t records, std::uint64_t sample_size) {
  records_file::check_records(records);
  if (sample_size > records) {
    throw InvalidArgument("sample_size", fmt::format("{}", sample_size),
                          fmt::format("a whole number in [0, {}], the number of records", records));
  }
  BlockSource source(bits_for_release(2 * sample_size), 2 * sample_size);
  return take_fixed_size_records(source, records, sample_size);
}

}  // namespace renyi::noise
