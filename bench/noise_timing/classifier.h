// Tells two classes of calls apart by their times: a classifier that is trained on one half of the calls and judged on
// the other, Kolmogorov and Smirnov's distance, and what both make of classes that are assigned at random.
#pragma once

#include <cstddef>
#include <cstdint>
#include <random>
#include <vector>

namespace bench {

// What was measured: the time of every call, and the class to which its input or its outcome belongs.
struct ClassedCalls {
  std::vector<double> time;
  std::vector<std::uint8_t> is_second;
};

struct Distinction {
  double auc = 0.5;             // the classifier's area under the curve, on calls that it has not seen
  double distance = 0;          // the greatest difference of the distribution functions
  double rank_correlation = 0;  // between class and time
  // By `permutations` random assignments of the classes: how many standard deviations of theirs the AUC lies above
  // one half, and the greatest AUC and distance among them.
  double auc_deviations = 0;
  double largest_random_auc = 0.5;
  double largest_random_distance = 0;
  double auc_p = 1;       // by the normal law and these deviations
  double distance_p = 1;  // by the law of the distance in large samples
};

// Classes that do not depend on time are as good as assigned at random, whatever else disturbs the machine: calls are
// made in random order, and a disturbance hits both classes alike. So the p-values are right on busy machines too.
Distinction distinguish(const ClassedCalls& calls, std::size_t permutations, std::mt19937_64& random);

}  // namespace bench
