// Which statement runs, and how often.
#include <stdexcept>
#include <vector>

namespace flow {

void act();

// bugprone-branch-clone
int returns_the_same(bool left) {
  if (left) {
    return 1;
  } else {
    return 1;
  }
}

// bugprone-infinite-loop
void never_counts(int count) {
  int i = 0;
  while (i < count) {
    act();
  }
}

// bugprone-redundant-branch-condition
void asks_twice(bool ready) {
  if (ready) {
    if (ready) {
      act();
    }
  }
}

// bugprone-suspicious-semicolon
// clang-format off
void acts_always(bool ready) {
  if (ready);
    act();
}
// clang-format on

// bugprone-terminating-continue
void looks_like_a_loop() {
  do {
    act();
    continue;
  } while (false);
}

// bugprone-throw-keyword-missing
void throws_nothing(int count) {
  if (count < 0) {
    std::runtime_error("negative");
  }
}

// modernize-loop-convert
int counts_by_hand(const std::vector<int>& terms) {
  int sum = 0;
  for (std::size_t i = 0; i < terms.size(); ++i) {
    sum += terms[i];
  }
  return sum;
}

// readability-misleading-indentation
// clang-format off
void acts_twice(bool ready) {
  if (ready)
    act();
    act();
}
// clang-format on

}  // namespace flow
