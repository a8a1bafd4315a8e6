// The step's K at whole orders, asked for once and kept; by chords where they are many.
#pragma once

#include <functional>
#include <memory>
#include <mutex>
#include <vector>

namespace renyi::sampling {

class WholeMoments {
 public:
  using Values = std::shared_ptr<const std::vector<double>>;

  // log_moment(z) bounds K(z) from above.
  explicit WholeMoments(std::function<double(double z)> log_moment);

  // Element l bounds ln E_Q[(P/Q)^l], that is K(l - 1), for l up to n at least.
  Values up_to(std::size_t n) const;

 private:
  void extend(std::vector<double>& values) const;

  std::function<double(double)> log_moment_;
  mutable std::mutex mutex_;
  mutable Values known_;
};

}  // namespace renyi::sampling
