// Everything: one include for programs that use the library.
#pragma once

#include "renyi/account.h"
#include "renyi/bounded.h"
#include "renyi/calibrate.h"
#include "renyi/closed_form.h"
#include "renyi/compare.h"
#include "renyi/curve.h"
#include "renyi/divergence.h"
#include "renyi/error.h"
#include "renyi/explain.h"
#include "renyi/loss.h"
#include "renyi/mechanism.h"
#include "renyi/plan.h"
#include "renyi/plan_json.h"
#include "renyi/relate.h"
#include "renyi/sampled_gaussian.h"
#include "renyi/version.h"
