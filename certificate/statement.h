// What a claim is about, without its figure: one question that certified arithmetic can answer.
#pragma once

#include <array>
#include <deque>
#include <string>
#include <string_view>
#include <utility>

#include "renyi/account.h"
#include "renyi/certify.h"
#include "renyi/plan.h"

namespace renyi::certificate {

enum class Kind { rdp, renyi_epsilon, renyi_delta, epsilon, delta };
inline constexpr std::array all_kinds{Kind::rdp, Kind::renyi_epsilon, Kind::renyi_delta, Kind::epsilon, Kind::delta};
// "rdp", "renyi-epsilon", "renyi-delta", "epsilon", "delta".
std::string_view to_string(Kind kind) noexcept;

// Members that a kind has no use for keep their defaults, so that equality is that of meaning.
struct Statement {
  Kind kind = Kind::rdp;
  double order = 1;                           // rdp, renyi-epsilon, renyi-delta
  Conversion conversion = Conversion::tight;  // renyi-epsilon, renyi-delta
  Direction direction = Direction::remove;    // rdp, epsilon, delta
  double at = 0;                              // the delta of an epsilon, the epsilon of a delta

  bool operator==(const Statement&) const = default;
};

bool has_order(Kind kind) noexcept;
bool has_conversion(Kind kind) noexcept;
bool has_direction(Kind kind) noexcept;
// Composed through all steps from the law of the loss.
bool is_exact(Kind kind) noexcept;
// The figure is a delta: at most 1.
bool is_delta(Kind kind) noexcept;
inline const Enclosure zero_to_one{{"0", 0}, {"1", 0}};
// What `at` is: "delta", "epsilon", or "" for none.
std::string_view given(Kind kind) noexcept;

// "rdp of order 8, remove"; for messages.
std::string describe(const Statement& statement);

// The figures of one plan by one route. What is the same in both directions is computed once.
class Prover {
 public:
  Prover(const Plan& plan, Route route);
  // Throws what the certified functions throw.
  const Certified& prove(Statement statement);

 private:
  const Plan& plan_;
  Route route_;
  bool symmetric_;
  std::deque<std::pair<Statement, Certified>> known_;
};

}  // namespace renyi::certificate
