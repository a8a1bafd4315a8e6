// renyi ledger history, verify, head, export, import: the log.
#include <fmt/format.h>

#include <filesystem>
#include <string>
#include <utility>

#include "api/api.h"
#include "apps/cli/commands/ledger.h"
#include "apps/cli/flags/answer_flags.h"
#include "apps/cli/flags/written_number.h"
#include "apps/cli/io/files.h"
#include "apps/cli/io/output.h"
#include "apps/cli/views/ledger_view.h"
#include "renyi/error.h"

namespace renyi::cli {
namespace ledger_log_file {
namespace {

constexpr int exit_not_valid = 1;
const std::string head_flag = "--head", key_flag = "--public-key", sign_flag = "--sign-with", out_flag = "--out",
                  pending_flag = "--pending", releases_flag = "--releases", resume_flag = "--resume";
constexpr const char* from_argument = "FROM";

void history(Question& question, const Flags& flags) {
  const std::string format = output_asked(flags, "table", true).format;
  begin_ledger(question, flags, api::LedgerVerb::history);
  for (const char* key : {"scope", "since", "until"}) set_text(question, flags, key);
  for (const auto& [flag, key] : {std::pair("--limit", "most"), std::pair("--last", "last")}) {
    if (const auto count = flags.text(flag)) question.set(key, read_integer(flag, *count), flag);
  }
  if (flags.given(pending_flag) && flags.given(releases_flag)) {
    throw InvalidArgument(releases_flag, "beside " + pending_flag, "one of the two");
  }
  for (const auto& [flag, of] : {std::pair(pending_flag, "pending"), std::pair(releases_flag, "releases")}) {
    if (flags.given(flag)) question.set("of", of, flag);
  }
  const api::LedgerAnswer answer = api::answer(opened(question.request, question));
  const auto& entries = std::get<std::vector<LedgerEntry>>(answer);
  show(question, format,
       format == "json"  ? write(question.request, answer) + '\n'
       : format == "csv" ? history_csv(entries)
                         : history_text(entries));
}

// A head as `renyi ledger head` prints it: "id:entry:hash", or a file with that or with JSON.
api::Document head_of(const std::string& text) {
  const auto first = text.find(':'), second = first == std::string::npos ? first : text.find(':', first + 1);
  if (second == std::string::npos) {
    std::string content = Input(text).read_all();
    while (!content.empty() && (content.back() == '\n' || content.back() == '\r')) content.pop_back();
    if (content.starts_with('{')) return api::read(content);
    if (content.find(':') == std::string::npos) {
      throw InvalidArgument(head_flag, text, "a file with a head as `renyi ledger head` prints it");
    }
    return head_of(content);
  }
  api::Document head;
  head.set("ledger", text.substr(0, first));
  head.set("entry", read_integer(head_flag, text.substr(first + 1, second - first - 1)));
  const auto third = text.find(':', second + 1);
  head.set("hash", text.substr(second + 1, third == std::string::npos ? third : third - second - 1));
  if (third != std::string::npos) head.set("signature", text.substr(third + 1));
  return head;
}

void verify(Question& question, const Flags& flags) {
  const std::string format = output_asked(flags, "table", false).format;
  begin_ledger(question, flags, api::LedgerVerb::verify);
  if (const auto head = flags.text(head_flag)) question.set("head", head_of(*head), head_flag);
  if (const auto key = flags.text(key_flag)) question.set("public_key", Input(*key).read_all(), key_flag);
  if (flags.given(resume_flag)) question.set("resume", true, resume_flag);
  const api::LedgerRequest asked = opened(question.request, question);
  const api::LedgerAnswer answer = api::answer(asked);
  const auto& result = std::get<LedgerVerification>(answer);
  show(question, format, format == "json" ? write(question.request, answer) + '\n' : verification_text(asked, result));
  if (!result.valid) throw Failure(exit_not_valid, "ledger: the log is not valid");
}

void head(Question& question, const Flags& flags) {
  const std::string format = output_asked(flags, "table", false).format;
  begin_ledger(question, flags, api::LedgerVerb::head);
  if (const auto key = flags.text(sign_flag)) question.set("private_key", Input(*key).read_all(), sign_flag);
  const api::LedgerAnswer answer = api::answer(opened(question.request, question));
  const auto& shown = std::get<api::ShownHead>(answer);
  const std::string text = fmt::format("{}:{}:{}{}{}\n", shown.head.ledger, shown.head.entry, shown.head.hash,
                                       shown.signature.empty() ? "" : ":", shown.signature);
  show(question, format, format == "json" ? write(question.request, answer) + '\n' : text);
}

void export_log(Question& question, const Flags& flags) {
  const auto file = flags.text(out_flag);
  if (file) {
    check_target(out_flag, *file);
    if (!flags.given("--force") && std::filesystem::is_regular_file(*file)) {
      throw InvalidArgument(out_flag, *file, "a new file, or --force to replace it");
    }
  }
  begin_ledger(question, flags, api::LedgerVerb::export_log);
  const api::LedgerRequest asked = opened(question.request, question);
  const auto write_to = [&](const auto& put) {
    if (!asked.ledger && !asked.server) return put(asked.lines);  // the log of a copy
    api::for_each_entry(asked, [&](const LedgerEntry& entry) { put(entry.text + '\n'); });
  };
  if (!file) return write_to([](const std::string& text) { print(text); });
  AtomicFile target(out_flag, *file);
  write_to([&](const std::string& text) { target.write(text); });
  target.put_into_place();
}

void import_log(Question& question, const Flags& flags) {
  begin_ledger(question, flags, api::LedgerVerb::import_log);
  const std::string from = required(flags, from_argument, "an export, or the file of a ledger");
  question.flag_at["lines"] = from_argument;
  if (from == "-") {
    question.set("lines", Input("-").read_all(), from_argument);
  } else {
    question.set("from", from, from_argument);
  }
  tell_receipt(question, flags);
}

}  // namespace
}  // namespace ledger_log_file

Command ledger_history_command() {
  using namespace ledger_log_file;
  return {
      .name = "ledger history",
      .help = "The entries of the log: by scope, time or person",
      .flags = joined(
          {{location_text(),
            {"--scope", "SCOPE", "only this scope and those within it", asked_group},
            {"--since", "TIME", "from this time on, in UTC: 2026-11, 2026-11-17, 2026-11-17T12:00", asked_group},
            {"--until", "TIME", "before this time", asked_group},
            {"--person", "NAME", "only this person", asked_group},
            {pending_flag, "", "only reservations that are neither opened nor gone back", asked_group},
            {releases_flag, "", "only tickets that were committed with an output", asked_group},
            {.name = "--limit", .value = "N", .help = "the first N of them", .group = asked_group, .whole = true},
            {.name = "--last", .value = "N", .help = "the last N of them", .group = asked_group, .whole = true},
            ledger_format(true)},
           place_flags()}),
      .footer =
          "Examples:\n"
          "  renyi ledger history clinic.ledger --last 20\n"
          "  renyi ledger history clinic.ledger --pending\n"
          "  renyi ledger history clinic.ledger --scope clinic --since 2026-11 --person ana --format csv",
      .run = on_ledger({location_argument}, history),
  };
}

Command ledger_verify_command() {
  using namespace ledger_log_file;
  return {
      .name = "ledger verify",
      .help = "Replay the log of a ledger or of an export; find what is wrong",
      .flags = joined({{location_text(),
                        {head_flag, "HEAD", "a head that was kept: ID:ENTRY:HASH, or a file with it", asked_group},
                        {key_flag, "FILE", "the public key (PEM) with which the head was signed", asked_group},
                        {resume_flag, "", "a server goes on after what it has verified before", asked_group},
                        ledger_format(false)},
                       place_flags()}),
      .footer =
          "Every entry is checked: form, number, hash of the entry before, and whether the budgets allowed it.\n"
          "The balances of a ledger are compared with what its log says. Exit status: 0 valid; 1 not valid, with\n"
          "the first wrong entry. A copy of a ledger can be verified too: its log, not its balances.\n"
          "\n"
          "Examples:\n"
          "  renyi ledger verify clinic.ledger\n"
          "  renyi ledger verify clinic.jsonl --head clinic.head",
      .run = on_ledger({location_argument}, verify),
  };
}

Command ledger_head_command() {
  using namespace ledger_log_file;
  return {
      .name = "ledger head",
      .help = "The number and the hash of the last entry, to keep elsewhere",
      .flags = joined({{location_text(),
                        {sign_flag, "FILE", "sign it with this private key (PEM, Ed25519)", asked_group},
                        ledger_format(false)},
                       place_flags()}),
      .footer =
          "Prints ID:ENTRY:HASH, and the signature if there is one. `renyi ledger verify --head` shows later that\n"
          "nothing up to it was cut off or rewritten.\n"
          "\n"
          "Examples:\n"
          "  renyi ledger head clinic.ledger",
      .run = on_ledger({location_argument}, head),
  };
}

Command ledger_export_command() {
  using namespace ledger_log_file;
  return {
      .name = "ledger export",
      .help = "Write the log: one entry a line",
      .flags = joined(
          {{location_text(),
            {out_flag, "FILE", "the file to write, completely or not at all (default: standard output)", asked_group},
            {"--force", "", "replace an existing file", asked_group}},
           place_flags()}),
      .footer =
          "The lines are the entries as they were hashed (docs/format/ledger.md). Stored outputs and the\n"
          "secrets of reservations are not a part of them. A copy of a ledger can be exported, too.\n"
          "\n"
          "Examples:\n"
          "  renyi ledger export clinic.ledger --out copy.jsonl",
      .run = on_ledger({location_argument}, export_log),
  };
}

Command ledger_import_command() {
  using namespace ledger_log_file;
  std::vector<FlagText> place = place_flags();
  for (FlagText& flag : place) {
    if (flag.name == "--witness") flag.help = "the witness of the new ledger";
  }
  return {
      .name = "ledger import",
      .help = "Make a new ledger of an export, or of a copy of a ledger",
      .flags = joined({{{from_argument, "", "an export, - for standard input, or the file of a ledger"},
                        {location_argument, "", "where the new ledger is to be"}},
                       place,
                       {ledger_format(false)}}),
      .footer =
          "The log is verified first. The new ledger goes on with it under a new id, and names the old one and\n"
          "its last entry. Stop using the old one: what is charged to it afterwards is not in the new one.\n"
          "Reservations that were not opened can only be cancelled, or expire.\n"
          "\n"
          "Examples:\n"
          "  renyi ledger import clinic.jsonl restored.ledger --witness restored.witness",
      .run =
          [](const Flags& flags, const CommandText&) {
            with_question([&](Question& question) {
              Flags told = flags;
              if (!flags.given(location_argument)) told = placed(flags, {location_argument});
              import_log(question, told);
            });
          },
  };
}

}  // namespace renyi::cli
