// The catalogue: what can be run, in words.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "api/document.h"
#include "renyi/extras/curve.h"
#include "renyi/extras/notes.h"
#include "renyi/extras/parameter.h"
#include "renyi/extras/select.h"
#include "renyi/mechanism.h"
#include "renyi/sampling.h"

namespace renyi::api {

struct MechanismsRequest {
  const Mechanism* only = nullptr;  // nothing: all there is
};

// Everything a reader of the catalogue wants to know of one mechanism.
struct MechanismEntry {
  Mechanism mechanism;
  Notes notes{};
  Knowledge known_by{};    // how much of the loss its figures rest on
  bool dominated = false;  // a pair of laws is known that dominates it
  bool own_group_rule = false;
  bool certified = false;
  Document example{};  // a step of it
};

// A step that names no mechanism.
struct FormEntry {
  std::string_view key;  // the one that a step of this form has
  std::string_view summary;
  Document example{};
  Notes notes{};
};

// A way to draw a sample, or a law of the number of runs, with its numbers.
struct NamedParameters {
  std::string_view name;
  std::string_view summary;
  std::span<const Parameter> parameters{};
};

struct MechanismsAnswer {
  std::vector<MechanismEntry> mechanisms{};
  // Only where all is asked for:
  std::vector<FormEntry> forms{};
  std::vector<NamedParameters> schemes{};
  std::vector<NamedParameters> runs{};
};

MechanismsRequest read_mechanisms(const Document& request);
MechanismsAnswer answer(const MechanismsRequest& asked);
std::string write(const Document& request, const MechanismsAnswer& answer);

// A step of the mechanism as it stands in plan files.
Document step_of(const Mechanism& mechanism);

}  // namespace renyi::api
