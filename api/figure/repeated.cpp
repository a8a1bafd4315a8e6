#include "api/figure/repeated.h"

#include <string_view>

namespace renyi::api::figure {
namespace repeated_file {
namespace {

// The part of the records that a run of the mechanism uses on average.
std::optional<double> part_of_records(const Mechanism& mechanism) {
  if (const Sampling* sampling = mechanism.sampling()) {
    if (is_by_epoch(sampling->scheme)) return 1;
    if (sampling->rate > 0) return sampling->rate;
    if (sampling->batch_size > 0 && sampling->dataset_size > 0) return sampling->batch_size / sampling->dataset_size;
    return std::nullopt;
  }
  const auto values = mechanism.values();
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (std::string_view(mechanism.parameters()[i].name) == "sampling_rate") return values[i];
  }
  return std::nullopt;
}

}  // namespace
}  // namespace repeated_file

std::optional<double> Repeated::epochs() const {
  const auto* mechanism = single_ ? std::get_if<Mechanism>(&plan_.steps()[0].what) : nullptr;
  if (mechanism == nullptr) return std::nullopt;
  const auto part = repeated_file::part_of_records(*mechanism);
  if (!part || *part == 0) return std::nullopt;
  return *part * static_cast<double>(count());
}

}  // namespace renyi::api::figure
