// Permute and flip: the answers are visited in random order, and each is taken with probability exp(epsilon (u -
// largest) / (2 sensitivity)); it is epsilon-DP (McKenna, Sheldon 2020; docs/math/selection.md).
#include <array>

#include "mechanism/model.h"
#include "mechanism/replacement_steps.h"
#include "mechanism/table.h"
#include "renyi/mechanism.h"

namespace renyi {

namespace permute_and_flip_file {
namespace {

constexpr Reference mckenna_sheldon2020{
    "mckennasheldon2020",
    "McKenna, Sheldon 2020, Permute-and-flip: a new mechanism for differentially private selection (arXiv:2010.12603)",
    R"(@inproceedings{mckennasheldon2020,
  author = {McKenna, Ryan and Sheldon, Daniel},
  title = {Permute-and-Flip: A New Mechanism for Differentially Private Selection},
  booktitle = {Advances in Neural Information Processing Systems (NeurIPS)},
  year = {2020},
  eprint = {2010.12603}
})"};

struct PermuteAndFlip {
  double epsilon = 1;

  static constexpr std::string_view kind = "permute-and-flip";
  static constexpr std::string_view summary = "permute-and-flip selection";
  static std::span<const Parameter> parameters() {
    static constexpr std::array<Parameter, 1> table{{
        {.name = "epsilon",
         .meaning = "an answer whose score is d below the largest is taken with probability exp(-epsilon d / (2 "
                    "sensitivity))",
         .lowest = 1e-100,
         .highest = 1e50,
         .zero_allowed = true,
         .effect = Effect::raises_cost},
    }};
    return table;
  }
  static constexpr auto fields = std::tuple{&PermuteAndFlip::epsilon};

  Mechanism equivalent() const { return mechanism::pure_step(epsilon); }
  std::shared_ptr<const Curve> curve() const { return equivalent().curve(); }

  static Notes notes() {
    return {.relation =
                "the one the sensitivity of the scores is stated for. Scores that a record only ever raises, or only "
                "ever lowers, may be flipped with exp(-epsilon d / sensitivity): epsilon means the same then",
            .exact = "its pure epsilon, which is approached with many answers",
            .bound = "everything else: as for any step of that epsilon",
            .references = {mckenna_sheldon2020}};
  }

  bool operator==(const PermuteAndFlip&) const = default;
};

}  // namespace
}  // namespace permute_and_flip_file

Mechanism table::permute_and_flip() { return mechanism::made(permute_and_flip_file::PermuteAndFlip{}); }

}  // namespace renyi
