// A privacy statement in words, made of its facts alone: one function a section.
#pragma once

#include "api/statement/document.h"
#include "api/statement/facts.h"

namespace renyi::api {

Page statement_of(const Facts& facts);

// Its parts that are in files of their own:

// The guarantee in a sentence, what it depends on, and all of it at a glance.
Blocks summary_of(const Facts& facts);
// The figures: exact, by Renyi divergences, and in the terms of relatives.
Section figures_section(const Facts& facts);
// What the guarantee means to a person, and to someone who looks for one.
Section meaning_section(const Facts& facts);

}  // namespace renyi::api
