#include "worlds/dataset.h"

#include <algorithm>
#include <set>

namespace renyi::worlds {
namespace dataset_file {
namespace {

std::vector<Dataset> all_of(int size) {
  std::vector<Dataset> result{{}};
  for (int i = 0; i < size; ++i) {
    std::vector<Dataset> longer;
    for (const Dataset& d : result) {
      for (Record r = d.empty() ? -1 : d.back(); r <= 1; ++r) {
        longer.push_back(d);
        longer.back().push_back(r);
      }
    }
    result = std::move(longer);
  }
  return result;
}

std::vector<Dataset> one_step_from(const Dataset& data, std::size_t i, Neighbors relation) {
  std::vector<Dataset> result;
  const auto put = [&](Record record) {
    result.push_back(data);
    result.back()[i] = record;
    std::sort(result.back().begin(), result.back().end());
  };
  switch (relation) {
    case Neighbors::add_or_remove_one:
      result.push_back(data);
      result.back().erase(result.back().begin() + static_cast<std::ptrdiff_t>(i));
      break;
    case Neighbors::zero_out: put(null); break;
    case Neighbors::replace_one:
      for (const Record other : {-1, 0, 1}) put(other);
      break;
  }
  return result;
}

std::set<Dataset> near(const Dataset& data, Neighbors relation, int unit) {
  std::set<Dataset> reached{data};
  for (int step = 0; step < unit; ++step) {
    std::set<Dataset> further = reached;
    for (const Dataset& d : reached) {
      for (std::size_t i = 0; i < d.size(); ++i) {
        for (Dataset& next : one_step_from(d, i, relation)) further.insert(std::move(next));
      }
    }
    reached = std::move(further);
  }
  return reached;
}

}  // namespace
}  // namespace dataset_file

std::vector<Pair> neighbours(int size, Neighbors relation, int unit) {
  std::vector<Pair> result;
  for (const Dataset& data : dataset_file::all_of(size)) {
    for (const Dataset& other : dataset_file::near(data, relation, unit)) {
      const bool is_counted = relation == Neighbors::replace_one && other < data;  // as (other, data)
      if (other != data && !is_counted) result.push_back({data, other});
    }
  }
  return result;
}

}  // namespace renyi::worlds
