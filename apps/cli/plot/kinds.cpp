#include "apps/cli/plot/kinds.h"

#include <array>

namespace renyi::cli::plot {

std::span<const Kind> kinds() {
  static constexpr std::array<Kind, 7> all{{
      {"rdp", "the Renyi divergence at every order, and the best order for --delta", rdp_figure},
      {"steps", "epsilon against the number of steps, exact and by the Renyi bound", steps_figure},
      {"profile", "delta against epsilon, exact and by the Renyi bound", profile_figure},
      {"tradeoff", "the errors of the best test that tells neighbours apart", tradeoff_figure},
      {"outcomes", "how likely a bad outcome may become, by how likely it is", outcomes_figure},
      {"accountants", "the epsilon each composition theorem proves, side by side", accountants_figure},
      {"closed-form", "the published closed form beside the exact curve (sampled Gaussians)", closed_form_figure},
  }};
  return all;
}

}  // namespace renyi::cli::plot
