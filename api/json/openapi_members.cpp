#include "api/json/openapi_members.h"

#include <algorithm>
#include <array>
#include <stdexcept>
#include <string>

namespace renyi::api {

namespace openapi_members_file {
namespace {

// One meaning a key, wherever it stands; docs/format/requests.md says it in full.
constexpr std::array members{
    MemberText{"after", "integer", "only entries behind this one"},
    MemberText{"analysts_may_collude", "boolean", "whether the analysts of the scopes within may share answers"},
    MemberText{"at_least", "array", "losses whose probabilities are asked for"},
    MemberText{"bands", "integer", "how many bands the matrix has"},
    MemberText{"baseline", "number", "how probable the harm is without the run"},
    MemberText{"batch_size", "integer", "records of a batch"},
    MemberText{"before", "integer", "only entries in front of this one"},
    MemberText{"block_rule", "object", "how the data are divided into blocks"},
    MemberText{"blocks", "array", "names of blocks"},
    MemberText{"bounds", "array", "distances whose probabilities are asked for"},
    MemberText{"budget", "object", "a budget, by its kind"},
    MemberText{"burn_down", "string", "how the scope was spent: by day, hour or entry"},
    MemberText{"by", "string", "by which accounting the target is met: exact or renyi"},
    MemberText{"cap", "", "the most to which the budget may ever be raised"},
    MemberText{"certificate", "object", "a certificate that certify has made"},
    MemberText{"charges", "array", "several charges, recorded together; each states its own members"},
    MemberText{"coefficients", "array", "those of the matrix, instead of a method"},
    MemberText{"comment", "string", "why, for the log"},
    MemberText{"compare", "", "other methods whose values are listed as well"},
    MemberText{"conversion", "string", "from Renyi divergences to (epsilon, delta)"},
    MemberText{"count", "integer", "how many such steps"},
    MemberText{"counts", "array", "how many steps"},
    MemberText{"dataset_size", "integer", "records of the dataset"},
    MemberText{"delta", "", "a number in [0, 1]"},
    MemberText{"deltas", "array", "numbers in [0, 1]"},
    MemberText{"direction", "string", "remove or add"},
    MemberText{"epsilon", "", "a number of at least 0, or inf"},
    MemberText{"epsilons", "array", "numbers of at least 0"},
    MemberText{"event", "number", "a probability, for the comparison of statements"},
    MemberText{"expires_in", "integer", "seconds after which a reservation goes back"},
    MemberText{"factors", "array", "factors by which odds change"},
    MemberText{"formats", "array", "of the report"},
    MemberText{"from", "string", "the tool whose record it is"},
    MemberText{"grid", "number", "the grid of published numbers"},
    MemberText{"group_size", "integer", "how many people are protected together"},
    MemberText{"head", "object", "a head that was kept elsewhere: nothing up to it may be missing"},
    MemberText{"id", "", "a text or an integer, which the answer repeats"},
    MemberText{"infinite_mass", "number", "delta that is set aside for infinite losses"},
    MemberText{"kind", "string", "the kind of a mechanism, of an odometer, or of a figure"},
    MemberText{"label", "string", "the name of the run in the figure"},
    MemberText{"lambda", "array", "orders of the notion that is asked for"},
    MemberText{"last", "integer", "how many entries at most, the last ones"},
    MemberText{"levels", "array", "probabilities whose distances are asked for"},
    MemberText{"lines", "string", "the lines of an export, to be verified by themselves"},
    MemberText{"may_cancel", "boolean", "whether reservations may be cancelled"},
    MemberText{"memory", "integer", "MiB that tables may take"},
    MemberText{"method", "string", "how it is computed"},
    MemberText{"min_separation", "integer", "rounds between two participations"},
    MemberText{"most", "integer", "how many entries at most"},
    MemberText{"neighbors", "string", "the relation: add-or-remove-one, replace-one or zero-out"},
    MemberText{"noise_multiplier", "number", "the noise, relative to the sensitivity"},
    MemberText{"of", "string", "entries of the log, of pending reservations, or of releases"},
    MemberText{"omega", "array", "parameters of truncated concentrated privacy"},
    MemberText{"op", "string", "the operation"},
    MemberText{"order", "number", "of the Renyi divergence"},
    MemberText{"orders", "", "a list of Renyi orders, or traditional"},
    MemberText{"output", "string", "what was published, kept with the ticket"},
    MemberText{"output_hex", "string", "what was published and is no text, in hexadecimal digits"},
    MemberText{"output_sha256", "string", "the SHA-256 of what was published"},
    MemberText{"pair", "object", "two distributions"},
    MemberText{"participations", "integer", "in how many rounds one record may take part"},
    MemberText{"person", "string", "who asks, for the log, where the caller of the server asks for others"},
    MemberText{"public_key", "string", "a PEM text: the signature of the head is checked"},
    MemberText{"quality", "string", "of the curves: fine or coarse"},
    MemberText{"range", "array", "both ends of the x axis"},
    MemberText{"reason", "string", "why a budget is raised"},
    MemberText{"record", "", "what the other tool has recorded"},
    MemberText{"reference_table", "boolean", "whether a table for orientation is added"},
    MemberText{"remarks", "array", "remarks in the report"},
    MemberText{"resume", "boolean", "whether to go on after the last entry that was verified before"},
    MemberText{"rho", "number", "a parameter of concentrated privacy"},
    MemberText{"rounds", "integer", "rounds of training"},
    MemberText{"run", "object", "a training run by its sizes, instead of steps"},
    MemberText{"runs", "array", "several runs with their labels, instead of steps"},
    MemberText{"scope", "string", "the name of a scope, such as clinic/oncology"},
    MemberText{"secret", "string", "the secret of the reservation"},
    MemberText{"since", "string", "the first time, in UTC, such as 2026-11"},
    MemberText{"split", "object", "how a budget is divided"},
    MemberText{"step", "object", "the step that is asked about"},
    MemberText{"steps", "array", "steps, as in a plan file"},
    MemberText{"ticket", "integer", "the number of a ticket"},
    MemberText{"time_limit", "number", "seconds that the answer may take"},
    MemberText{"title", "string", "of the report"},
    MemberText{"to", "", "the notion of privacy that is asked for"},
    MemberText{"tolerance", "number", "how wide an exact interval may be"},
    MemberText{"type_1_errors", "array", "errors at which the tradeoff is asked for"},
    MemberText{"unit", "integer", "how many records one person may have"},
    MemberText{"until", "string", "the first time that is not included"},
    MemberText{"want", "array", "the parts of the answer"},
    MemberText{"within", "array", "probabilities of losses that are asked for"},
    MemberText{"x_scale", "string", "of the axis: linear or log"},
    MemberText{"y_scale", "string", "of the axis: linear or log"},
};

}  // namespace
}  // namespace openapi_members_file

const MemberText& member_text(std::string_view key) {
  using openapi_members_file::members;
  const auto* found =
      std::find_if(members.begin(), members.end(), [&](const MemberText& row) { return row.key == key; });
  if (found == members.end()) throw std::logic_error("no words about the member " + std::string(key));
  return *found;
}

}  // namespace renyi::api
