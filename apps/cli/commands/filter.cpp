// renyi filter: steps that are chosen on the way.
#include <string>

#include "apps/cli/commands/command.h"
#include "apps/cli/flags/answer_flags.h"
#include "apps/cli/flags/choice.h"
#include "renyi/error.h"

namespace renyi::cli {

Command filter_command() {
  static const std::string action = "ACTION";
  const Command design = filter_design_command();
  return {
      .name = "filter",
      .help = "Filters for steps that are chosen on the way",
      .flags = joined({{{action, "", "design"}}, design.flags}),
      .footer = design.footer,
      .run =
          [run = design.run](const Flags& flags, const CommandText& program) {
            const std::string asked = flags.text(action).value_or("");
            with_question([&](Question&) {
              if (asked.empty()) throw InvalidArgument(action, "nothing", "design");
              if (asked != "design") refuse_choice(action, asked, {"design"});
            });
            run(flags, program);
          },
  };
}

}  // namespace renyi::cli
