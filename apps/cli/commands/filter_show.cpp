// renyi filter show: what is spent, what is left, and what the whole interaction guarantees.
#include <string>
#include <utility>

#include "api/filter.h"
#include "apps/cli/commands/filter.h"
#include "apps/cli/flags/answer_flags.h"
#include "apps/cli/flags/written_number.h"
#include "apps/cli/io/files.h"
#include "apps/cli/io/output.h"
#include "apps/cli/views/filter_view.h"

namespace renyi::cli {
namespace filter_show_file {
namespace {

void run(Question& question, const Flags& flags) {
  const std::string format = output_asked(flags, "table", false).format;
  const std::string name = filter_name(flags);
  question.understood = flags.understood;
  set_number(question, flags, "delta");
  api::FilterRequest asked{.filter = filter_in(question, name, Input(name).read_all())};
  if (const auto text = flags.text("--delta")) asked.delta = read_number("--delta", *text);
  const api::FilterAnswer answer = api::answer(asked);
  const std::string shown = name == "-" ? "standard input" : name;
  show(question, format,
       format == "json" ? api::text_of(answer) + '\n'
                        : filter_text(shown, asked, answer, {.understood = question.understood}));
}

}  // namespace
}  // namespace filter_show_file

Command filter_show_command() {
  return {
      .name = "filter show",
      .help = "What is spent, what is left, and what it all guarantees",
      .flags = {{filter_argument, "", "the filter file, or - for standard input"},
                {"--delta", "DELTA", "also show epsilon at this delta", asked_group},
                {"--format", "table|json", "how to print the answer (default table)", asked_group}},
      .footer =
          "The guarantee is that of the cap: it holds for steps chosen on the way, whether or not the\n"
          "budget is used up. Beside it stands the cost if the same steps had been fixed in advance, which\n"
          "is no bound for steps that were chosen on the way, and decides nothing.\n"
          "\n"
          "Examples:\n"
          "  renyi filter show filter.json\n"
          "  renyi filter show filter.json --delta 1e-5",
      .run =
          [](const Flags& flags, const CommandText&) {
            with_question([&](Question& question) { filter_show_file::run(question, flags); });
          },
  };
}

}  // namespace renyi::cli
