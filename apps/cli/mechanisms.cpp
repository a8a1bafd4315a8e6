// renyi mechanisms
#include "apps/cli/answer_flags.h"
#include "apps/cli/ask.h"
#include "apps/cli/catalogue_view.h"
#include "apps/cli/command.h"
#include "apps/cli/mechanism_flags.h"
#include "renyi/error.h"

namespace renyi::cli {
namespace {

constexpr const char* bibtex_flag = "--bibtex";
constexpr const char* markdown_flag = "--markdown";

void refuse_beside(const Flags& flags, const char* flag, const std::string& other) {
  if (!flags.given(flag) || !flags.given(other)) return;
  throw InvalidArgument(other, *flags.text(other), std::string("nothing together with ") + flag);
}

void build(Question& question, const Flags& flags) {
  for (const char* flag : {bibtex_flag, markdown_flag}) refuse_beside(flags, flag, format_flag().name);
  refuse_beside(flags, markdown_flag, kind_value);
  question.request["op"] = "mechanisms";
  if (const auto kind = flags.text(kind_value)) question.set("kind", *kind, kind_value);
}

Views views_for(const Flags& flags) {
  if (flags.given(markdown_flag)) return {catalogue_markdown};
  if (flags.given(bibtex_flag)) return {catalogue_bibtex};
  return {catalogue_table, catalogue_rows};
}

}  // namespace

Command mechanisms_command() {
  return {
      .name = "mechanisms",
      .help = "What can be run: every mechanism, its parameters and its sources",
      .flags = {{kind_value, "", "only this one, with all there is to know of it"},
                {bibtex_flag, "", "print its sources, or those of all, as BibTeX", asked_group},
                {markdown_flag, "", "print all of it as a document", asked_group},
                format_flag()},
      .footer =
          "Examples:\n"
          "  renyi mechanisms\n"
          "  renyi mechanisms gaussian\n"
          "  renyi mechanisms gdp --bibtex\n"
          "  renyi mechanisms --format csv",
      .run =
          [](const Flags& flags, const CommandText&) {
            ask(
                flags, [&](Question& question) { build(question, flags); }, views_for(flags));
          },
  };
}

}  // namespace renyi::cli
