// The calls that are watched: everything in renyi/noise.h, renyi/clipped_sum.h and renyi/exact_sum.h that draws or that
// reads data.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace renyi::noise {

// Hides data from valgrind's point of view, and says where what is counted begins and ends.
class Watch {
 public:
  Watch() = default;
  Watch(const Watch&) = delete;
  Watch& operator=(const Watch&) = delete;
  virtual ~Watch() = default;
  virtual void hide(const void* memory, std::size_t bytes) = 0;
  virtual void toggle() = 0;

  template <class Number>
  void hide(const std::vector<Number>& numbers) {
    hide(numbers.data(), numbers.size() * sizeof(Number));
  }
};

struct Watched {
  std::string name;
  bool draws;                   // whether it takes random words
  bool has_equal_instructions;  // whether calls of the same size take the same number of them
  std::function<void(Watch&, std::uint64_t seed)> call;
};

const std::vector<Watched>& all_watched();

}  // namespace renyi::noise
