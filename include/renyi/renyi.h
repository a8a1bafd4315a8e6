// This header includes the core of the library. Headers that fewer programs need are in renyi/extras (certificates, the
// privacy loss distribution, other privacy notions, custom mechanisms, records of other tools, ...). Headers that
// compare results with published theorems are in renyi/papers.
//
//     renyi::Plan plan;
//     plan.add(renyi::SampledGaussian{.sampling_rate = 0.01, .noise_multiplier = 1.1}, 10'000);
//     plan.add(renyi::Laplace{.scale = 20}, 3);
//     const double epsilon = renyi::epsilon(plan, 1e-5).upper();
#pragma once

#include "renyi/accountant.h"
#include "renyi/accuracy.h"
#include "renyi/calibrate.h"
#include "renyi/cost.h"
#include "renyi/error.h"
#include "renyi/exact.h"
#include "renyi/explain.h"
#include "renyi/filter.h"
#include "renyi/individual_filter.h"
#include "renyi/interval.h"
#include "renyi/limits.h"
#include "renyi/mechanism.h"
#include "renyi/mechanisms.h"
#include "renyi/odometer.h"
#include "renyi/plan.h"
#include "renyi/rdp.h"
#include "renyi/run.h"
#include "renyi/sampling.h"
#include "renyi/tradeoff.h"
#include "renyi/version.h"
