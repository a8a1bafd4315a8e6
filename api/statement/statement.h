// A privacy statement in words, made of its facts alone (op_report.cpp): one function a section.
#pragma once

#include "api/api.h"
#include "api/statement/document.h"

namespace renyi::api {

Page statement_of(const Json& facts);

// Its parts that are in files of their own:

// The guarantee in a sentence, what it depends on, and all of it at a glance.
Blocks summary_of(const Json& facts);
// The figures: exact, by Renyi divergences, and in the terms of relatives.
Section figures_section(const Json& facts);
// What the guarantee means to a person, and to someone who looks for one.
Section meaning_section(const Json& facts);

}  // namespace renyi::api
