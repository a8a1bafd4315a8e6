// The commands below renyi ledger, and what they share.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "api/ledger.h"
#include "apps/cli/commands/command.h"

namespace renyi::cli {

Command ledger_init_command();
Command ledger_scope_command();
Command ledger_charge_command();
Command ledger_reserve_command();
Command ledger_open_command();
Command ledger_commit_command();
Command ledger_cancel_command();
Command ledger_show_command();
Command ledger_history_command();
Command ledger_verify_command();
Command ledger_head_command();
Command ledger_export_command();
Command ledger_import_command();

inline constexpr const char* location_argument = "LEDGER";
inline constexpr const char* scope_argument = "SCOPE";
inline constexpr const char* ticket_argument = "TICKET";

// What RENYI_LEDGER says; empty if it is not set.
std::string ledger_of_environment();
// LEDGER, and the flags of every command: --ledger, --witness, --patience.
FlagText location_text();
std::vector<FlagText> place_flags();
// The flags of commands that write: --key, --person, --comment.
std::vector<FlagText> call_flags();
// The same where nothing is charged.
std::vector<FlagText> call_flags_without_charge();
FlagText ledger_format(bool has_csv);

// Returns the flags with the arguments in their places: where --ledger or RENYI_LEDGER says where the ledger is, the
// first argument is not LEDGER but the one after it.
Flags placed(const Flags& flags, const std::vector<std::string>& arguments);

// Begins a request: its verb, where the ledger is, and what the flags say of the call.
void begin_ledger(Question& question, const Flags& flags, api::LedgerVerb verb);
// Returns the text of an argument. Throws InvalidArgument if it was not given.
std::string required(const Flags& flags, const std::string& argument, const std::string& allowed);
// Reads the request, and says on standard error what opening the ledger has done to its tables.
api::LedgerRequest opened(const api::Document& request, const Question& question);
// Puts a ticket and other whole numbers into the request.
void set_ticket(Question& question, const Flags& flags);
// Returns the texts of a flag that may be repeated.
std::vector<std::string> several_of(const Flags& flags, const std::string& flag);
void set_texts(Question& question, const std::string& key, const std::vector<std::string>& texts,
               const std::string& flag);

// Asks and prints the receipt. Throws Failure, with exit status 1, if it is a refusal; what it says was printed.
void tell_receipt(Question& question, const Flags& flags);

// Runs `body` on a question, with the arguments in their places.
std::function<void(const Flags&, const CommandText&)> on_ledger(std::vector<std::string> arguments,
                                                                void (*body)(Question&, const Flags&));

}  // namespace renyi::cli
