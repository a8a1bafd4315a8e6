// A privacy statement in words, made of its facts (facts.h): one function a section, one file a subject.
#pragma once

#include "api/api.h"
#include "api/statement/document.h"

namespace renyi::api {

Document statement_of(const Json& facts);

// ---- Its parts.

// The guarantee in a sentence, what it depends on, and all of it at a glance.
Blocks summary_of(const Json& facts);
Section run_section(const Json& facts);
Section protection_section(const Json& facts);
Section sampling_section(const Json& facts);
Section figures_section(const Json& facts);
Section meaning_section(const Json& facts);
Section limits_section(const Json& facts);
Section checking_section(const Json& facts);
Section references_section(const Json& facts);

}  // namespace renyi::api
