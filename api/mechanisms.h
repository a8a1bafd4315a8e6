// Describes the catalogue: all that can be run.
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
  const Mechanism* only = nullptr;  // nullptr for all of the catalogue
};

// The description of one mechanism of the catalogue.
struct MechanismEntry {
  Mechanism mechanism;
  Notes notes{};
  Knowledge known_by{};    // the knowledge of the loss on which its values rest
  bool dominated = false;  // a dominating pair is known
  bool own_group_rule = false;
  bool certified = false;
  Document example{};  // an example step
};

// A form of a step that names no mechanism.
struct FormEntry {
  std::string_view key;  // the key that distinguishes this form
  std::string_view summary;
  Document example{};
  Notes notes{};
};

// A sampling scheme, or a distribution of the number of runs, with its parameters.
struct NamedParameters {
  std::string_view name;
  std::string_view summary;
  std::span<const Parameter> parameters{};
};

struct MechanismsAnswer {
  std::vector<MechanismEntry> mechanisms{};
  // These are filled only if the whole catalogue is requested.
  std::vector<FormEntry> forms{};
  std::vector<NamedParameters> schemes{};
  std::vector<NamedParameters> runs{};
};

MechanismsRequest read_mechanisms(const Document& request);
MechanismsAnswer answer(const MechanismsRequest& asked);
std::string write(const Document& request, const MechanismsAnswer& answer);

// Returns a step with this mechanism as it is written in plan files.
Document step_of(const Mechanism& mechanism);

}  // namespace renyi::api
