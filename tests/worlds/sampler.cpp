#include "worlds/sampler.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <numeric>

namespace renyi::worlds {
namespace sampler_file {
namespace {

Dataset sorted(Dataset data) {
  std::sort(data.begin(), data.end());
  return data;
}

// Calls f(subset) for each of the 2^n subsets.
template <class F>
void for_each_subset(const Dataset& data, const F& f) {
  for (unsigned members = 0; members < (1U << data.size()); ++members) {
    Dataset subset;
    for (std::size_t i = 0; i < data.size(); ++i) {
      if ((members >> i & 1U) != 0) subset.push_back(data[i]);
    }
    f(subset);
  }
}

Samples subsets_of_size(const Dataset& data, std::size_t size) {
  Samples result;
  long double count = 0;
  for_each_subset(data, [&](const Dataset& subset) {
    if (subset.size() != size) return;
    result[sorted(subset)] += 1;
    count += 1;
  });
  for (auto& [sample, weight] : result) weight /= count;
  return result;
}

Samples poisson_samples(const Dataset& data, long double rate) {
  Samples result;
  for_each_subset(data, [&](const Dataset& subset) {
    long double probability = 1;
    for (std::size_t i = 0; i < data.size(); ++i) probability *= i < subset.size() ? rate : 1 - rate;
    result[sorted(subset)] += probability;
  });
  return result;
}

Samples draws(const Dataset& data, int batch) {
  Samples result{{{}, 1}};
  for (int draw = 0; draw < batch; ++draw) {
    Samples longer;
    for (const auto& [sample, probability] : result) {
      for (const Record record : data) {
        Dataset next = sample;
        next.push_back(record);
        longer[sorted(next)] += probability / static_cast<long double>(data.size());
      }
    }
    result = std::move(longer);
  }
  return result;
}

}  // namespace
}  // namespace sampler_file

Sampler everyone() {
  return {"everyone", "", [](const Dataset& data) { return Samples{{sampler_file::sorted(data), 1}}; }};
}

Sampler poisson(double rate) {
  return {"poisson", fmt::format(R"({{"scheme":"poisson","rate":{}}})", rate),
          [rate](const Dataset& data) { return sampler_file::poisson_samples(data, rate); }};
}

Sampler fixed_size(int size, int batch) {
  return {
      "fixed-size", fmt::format(R"({{"scheme":"fixed-size","dataset_size":{},"batch_size":{}}})", size, batch),
      [batch](const Dataset& data) { return sampler_file::subsets_of_size(data, static_cast<std::size_t>(batch)); }};
}

Sampler padded_fixed_size(int places, int batch) {
  return {"padded fixed-size",
          fmt::format(R"({{"scheme":"fixed-size","dataset_size":{},"batch_size":{},"padded":true}})", places, batch),
          [places, batch](const Dataset& data) {
            constexpr Record no_record = null + 1;
            Dataset padded = data;
            padded.resize(std::max(data.size(), static_cast<std::size_t>(places)), no_record);
            Samples result;
            for (const auto& [drawn, probability] :
                 sampler_file::subsets_of_size(padded, static_cast<std::size_t>(batch))) {
              Dataset sample = drawn;
              std::erase(sample, no_record);
              result[sample] += probability;
            }
            return result;
          }};
}

Sampler with_replacement(int size, int batch) {
  return {"with-replacement",
          fmt::format(R"({{"scheme":"with-replacement","dataset_size":{},"batch_size":{}}})", size, batch),
          [batch](const Dataset& data) { return sampler_file::draws(data, batch); }};
}

Sampler truncated_poisson(double rate, int size, int limit) {
  return {"truncated-poisson",
          fmt::format(R"({{"scheme":"truncated-poisson","rate":{},"dataset_size":{},"batch_limit":{}}})", rate, size,
                      limit),
          [rate, limit](const Dataset& data) {
            Samples result;
            for (const auto& [sample, probability] : sampler_file::poisson_samples(data, rate)) {
              const auto kept = std::min(sample.size(), static_cast<std::size_t>(limit));
              for (const auto& [part, share] : sampler_file::subsets_of_size(sample, kept))
                result[part] += probability * share;
            }
            return result;
          }};
}

Epochs shuffled(const Dataset& data, int batches) {
  Epochs result;
  std::vector<std::size_t> order(data.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  long double count = 0;
  do {
    std::vector<Dataset> epoch(static_cast<std::size_t>(batches));
    for (std::size_t i = 0; i < order.size(); ++i) epoch[i * epoch.size() / order.size()].push_back(data[order[i]]);
    for (Dataset& batch : epoch) batch = sampler_file::sorted(batch);
    result[epoch] += 1;
    count += 1;
  } while (std::next_permutation(order.begin(), order.end()));
  for (auto& [epoch, weight] : result) weight /= count;
  return result;
}

Epochs allocated(const Dataset& data, int batches, int participations) {
  std::vector<unsigned> choices;  // sets of batches, as bits
  for (unsigned set = 0; set < 1U << batches; ++set) {
    if (std::popcount(set) == participations) choices.push_back(set);
  }
  Epochs epochs{{std::vector<Dataset>(static_cast<std::size_t>(batches)), 1}};
  for (const auto& record : data) {
    Epochs longer;
    for (const auto& [epoch, probability] : epochs) {
      for (const unsigned set : choices) {
        std::vector<Dataset> with = epoch;
        for (std::size_t batch = 0; batch < with.size(); ++batch) {
          if ((set >> batch & 1U) == 0) continue;
          with[batch].push_back(record);
          with[batch] = sampler_file::sorted(with[batch]);
        }
        longer[with] += probability / static_cast<long double>(choices.size());
      }
    }
    epochs = std::move(longer);
  }
  return epochs;
}

}  // namespace renyi::worlds
