// The laws whose draws are measured: how to draw many by the public interface, the random words that a draw takes, and
// the entropy of what is drawn.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace bench {

struct Law {
  std::string name;             // as in renyi/noise.h
  std::string scale;            // in units of the grid, or of whole numbers, as text: "2^20"
  std::string number;           // the type of the numbers
  std::optional<double> limit;  // what a draw may cost, in exp; none where nothing is promised
  double entropy = 0;           // bits of the law
  // Makes a call that adds noise to so many numbers, in place, of which the memory is its own.
  std::function<std::function<void()>(std::size_t numbers)> prepared;
  // Returns how many random words so many draws took. Absent where there is no way in.
  std::function<std::size_t(std::size_t draws)> words;
};

std::vector<Law> measured_laws();
// Coins, samples, and the laws of whole numbers of which no speed is promised.
void append_other_laws(std::vector<Law>& laws);

}  // namespace bench
