// Plan files, format version 1: read for the editor. The engine judges what the steps say; here only their shape matters.
import { type Relation, relations, type Step } from '../whatif/configuration';
import { editable } from './editable';

export interface PlanParts {
  steps: Step[];
  neighbors: Relation;
  unit: string;
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

export function readPlan(text: string): PlanParts | { fault: string } {
  let plan: unknown;
  try {
    plan = JSON.parse(text);
  } catch (failure) {
    return { fault: `this is no JSON: ${(failure as Error).message}` };
  }
  if (!isObject(plan)) return { fault: 'a plan is an object with the members "renyi" and "steps"' };
  if (plan.renyi !== 1) return { fault: `"renyi" is ${JSON.stringify(plan.renyi)}, allowed: 1, the version of the format` };
  const unknown = Object.keys(plan).find((key) => !['renyi', 'neighbors', 'unit', 'steps'].includes(key));
  if (unknown !== undefined) return { fault: `"${unknown}" is an unknown key, allowed: renyi, neighbors, unit, steps` };
  const neighbors = plan.neighbors ?? 'add-or-remove-one';
  if (!relations.includes(neighbors as Relation)) {
    return { fault: `"neighbors" is ${JSON.stringify(neighbors)}, allowed: ${relations.join(', ')}` };
  }
  if (!Array.isArray(plan.steps) || !plan.steps.every(isObject)) return { fault: '"steps" must be an array of steps' };
  if (plan.steps.length > 500) return { fault: `the plan has ${plan.steps.length} steps, and this page edits up to 500` };
  return {
    steps: plan.steps.map((step) => editable(step)),
    neighbors: neighbors as Relation,
    unit: plan.unit === undefined ? '1' : String(plan.unit),
  };
}
