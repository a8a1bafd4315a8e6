// A privacy statement as text, written from its facts alone, with one function per section.
#pragma once

#include "api/statement/document.h"
#include "api/statement/facts.h"

namespace renyi::api {

Page statement_of(const Facts& facts);

// Sections that are implemented in files of their own:

// Writes the guarantee as a sentence, its conditions, and a table that summarizes it.
Blocks summary_of(const Facts& facts);
// Writes the values: exact, by Renyi divergences, and in other privacy notions.
Section figures_section(const Facts& facts);
// Writes what the guarantee means to a person, and to an adversary who looks for that person.
Section meaning_section(const Facts& facts);

}  // namespace renyi::api
