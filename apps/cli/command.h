// A command as data: what it is called, what it takes, what it does.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "apps/cli/flags.h"
#include "apps/cli/tree.h"

namespace renyi::cli {

struct Command {
  std::string name;
  std::string help;
  std::vector<FlagText> flags;
  std::string footer;  // ends with examples
  std::function<void(const Flags& flags, const CommandText& program)> run;
};

Command epsilon_command();
Command delta_command();
Command rdp_command();
Command calibrate_command();
Command profile_command();
Command tradeoff_command();
Command explain_command();
Command loss_command();
Command compare_command();
Command relate_command();
Command divergence_command();
Command convert_command();
Command certify_command();
Command verify_command();
Command mechanisms_command();
Command report_command();
Command plot_command();
Command batch_command();
Command sweep_command();
Command man_command();
Command completion_command();

}  // namespace renyi::cli
