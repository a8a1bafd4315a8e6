// renyi convert
#include "api/convert.h"

#include <string>

#include "api/api.h"
#include "apps/cli/commands/command.h"
#include "apps/cli/flags/answer_flags.h"
#include "apps/cli/io/files.h"
#include "renyi/error.h"
#include "renyi/plan.h"

namespace renyi::cli {
namespace convert_file {
namespace {

constexpr const char* file_argument = "FILE";
constexpr const char* record_key = "record";

void build(Question& question, const Flags& flags) {
  question.request.set("op", "convert");
  set_text(question, flags, "from");
  set_text(question, flags, "neighbors");
  const auto name = flags.text(file_argument);
  if (!name) throw InvalidArgument(file_argument, "nothing", "a file, or - for standard input");
  Input input(*name);
  question.source = input.name();
  question.source_path = record_key;
  question.request.set(record_key, api::read(input.read_all()));
}

std::string plan_line(const Question&, const api::ConvertRequest&, const api::ConvertAnswer& answer) {
  return write_plan(answer.plan) + '\n';
}

}  // namespace
}  // namespace convert_file

Command convert_command() {
  return {
      .name = "convert",
      .help = "Make a plan of an Opacus history or of dp_accounting events",
      .flags =
          {
              {convert_file::file_argument, "",
               "the record, as JSON (docs/format/convert.md), or - for standard input"},
              {"--from", "opacus|dp_accounting", "whose record it is (default: by its shape)"},
              {"--neighbors", "add-or-remove-one|replace-one|zero-out",
               "what neighbouring datasets are: records do not say (default add-or-remove-one)"},
          },
      .footer =
          "Prints a plan, one line of JSON, for the other commands to read.\n"
          "\n"
          "Examples:\n"
          "  renyi convert opacus-history.json\n"
          "  renyi convert dp-events.json --from dp_accounting | renyi epsilon - --delta 1e-5\n"
          "  echo '[[1.1, 0.01, 10000]]' | renyi convert - | renyi explain - --delta 1e-5",
      .run =
          [](const Flags& flags, const CommandText&) {
            ask(flags, [&](Question& question) { convert_file::build(question, flags); }, api::read_convert,
                {.table = convert_file::plan_line});
          },
  };
}

}  // namespace renyi::cli
