// What is taken for granted, and what is not covered.
#include "api/statement/statement.h"

namespace renyi::api {
namespace {

List assumptions() {
  return {
      .items = {
          "Each step ran as stated: noise drawn independently and in full, and what one record contributes bounded "
          "(by clipping, say) as the sensitivity or noise multiplier assumes.",
          "All parameters were fixed in advance: noise, rates and numbers of steps chosen in view of the records or "
          "of earlier results are not accounted for. The results themselves may guide later steps.",
          "How many records there are, where the plan uses it, counts as known.",
      }};
}

List gaps(bool selection) {
  return {.items = {
              selection
                  ? "Other uses of the same records: tuning and model selection beyond the selection stated above, "
                    "preprocessing, evaluation, earlier and later releases."
                  : "Other uses of the same records: tuning of hyperparameters, model selection, preprocessing, "
                    "evaluation, earlier and later releases. Each costs privacy of its own unless it is a step "
                    "above.",
              "The implementation: noise in floating-point arithmetic, weak random numbers, timing and other side "
              "channels, mistakes.",
              "Those who hold the records or run the steps, and what they publish otherwise.",
              "What the results say of people in general, whether or not their records were used.",
          }};
}

bool has_selection(const Json& facts) {
  for (const Json& form : facts.at("forms")) {
    if (form == "select") return true;
  }
  return false;
}

}  // namespace

Section limits_section(const Json& facts) {
  return {.title = "What is assumed, and what is not covered",
          .blocks = {Paragraph{"Assumed, beside how records are drawn:"}, assumptions(), Paragraph{"Not covered:"},
                     gaps(has_selection(facts))}};
}

}  // namespace renyi::api
