// What the catalogue says of selections.
#include "renyi/select.h"

namespace renyi {

namespace {

constexpr Reference papernot_steinke2022{"papernotsteinke2022",
                                         "Papernot, Steinke 2022, Hyperparameter tuning with Renyi differential "
                                         "privacy (arXiv:2110.03620v2), Theorems 2 and "
                                         "6",
                                         R"(@inproceedings{papernotsteinke2022,
  author = {Papernot, Nicolas and Steinke, Thomas},
  title = {Hyperparameter Tuning with {R}{\'e}nyi Differential Privacy},
  booktitle = {International Conference on Learning Representations (ICLR)},
  year = {2022},
  eprint = {2110.03620}
})"};

}  // namespace

Notes Select::notes() {
  return {.relation = "that of the plan, through the steps of a run",
          .exact = "nothing",
          .bound =
              "Renyi divergences; runs of pure epsilon cost 2 + eta of it; a delta of the runs is charged as often as "
              "there are runs on average",
          .references = {papernot_steinke2022}};
}

}  // namespace renyi
