#include "apps/cli/plot_flag.h"

#include "apps/cli/answer_flags.h"

namespace renyi::cli {

FlagText plot_flag() {
  return {"--plot", "FILE", "also draw it: .png, .svg, .pdf, or .gp for gnuplot's script (see renyi plot)",
          asked_group};
}

}  // namespace renyi::cli
