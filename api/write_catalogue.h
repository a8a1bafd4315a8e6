// What can be run, in words: mechanisms, other forms of a step, ways to draw a sample, laws of runs.
#pragma once

#include "json/parse.h"
#include "renyi/mechanism.h"

namespace renyi::api {

// Everything a reader of the catalogue wants to know of one mechanism.
json::Json write_entry(const Mechanism& mechanism);

// Steps that name no mechanism, each with an example.
json::Json write_forms();

// The schemes with their numbers.
json::Json write_schemes();

// The laws of the number of runs of a selection, with their numbers.
json::Json write_runs();

}  // namespace renyi::api
