// renyi certify
#include "apps/cli/commands/certificate_view.h"
#include "apps/cli/commands/command.h"
#include "apps/cli/flags/answer_flags.h"
#include "apps/cli/flags/run_flags.h"

namespace renyi::cli {
namespace certify_file {
namespace {

void build(Question& question, const Flags& flags) {
  question.request.set("op", "certify");
  set_number(question, flags, "delta");
  set_number(question, flags, "epsilon");
  set_number_or_infinity(question, flags, "order");
  set_run(question, flags, "");
}

}  // namespace
}  // namespace certify_file

Command certify_command() {
  const std::vector<FlagText> asked{
      delta_flag(),
      epsilon_flag("instead of --delta: the finite epsilon to certify delta at"),
      {"--order", "ORDER", "order of the Renyi claims, in (1, 1e4] or inf (default: the best one)", asked_group},
      certificate_format_flag(),
      time_limit_flag(),
  };
  return {
      .name = "certify",
      .help = "Prove what a run costs: a certificate that anyone can check",
      .flags = joined({run_flags(), asked}),
      .footer = std::string(certificate_explained) +
                "Examples:\n"
                "  renyi certify --sampling-rate 0.01 --noise-multiplier 1.1 --steps 10000 --delta 1e-5 > cert.json\n"
                "  renyi certify --noise-multiplier 4 --steps 10 --epsilon 1 --format table\n"
                "  renyi certify plan.json --delta 1e-6 --order 8 | renyi verify -",
      .run =
          [](const Flags& flags, const CommandText&) {
            ask(
                flags, [&](Question& question) { certify_file::build(question, flags); }, api::read_certify,
                certificate_views());
          },
  };
}

}  // namespace renyi::cli
