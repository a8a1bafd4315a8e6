// Steps of plan files as the editor holds them: every number as its text.
import { mechanismStep, type Scheme, type Step } from '../whatif/configuration';

const texts = (values: Record<string, unknown>, names: string[]): Record<string, string> =>
  Object.fromEntries(names.filter((name) => name in values).map((name) => [name, String(values[name])]));

/** A step as the editor holds it, from a step of a plan file. */
export function editable(step: Record<string, unknown>): Step {
  const { mechanism, sampling, count, name, comment, ...rest } = step;
  const labels = {
    count: count === undefined ? '1' : String(count),
    name: typeof name === 'string' ? name : '',
    comment: typeof comment === 'string' ? comment : '',
  };
  if (typeof mechanism !== 'string') {
    const { name: _name, comment: _comment, ...form } = step;
    return mechanismStep('', {}, { ...labels, count: '1', form: JSON.stringify(form, null, 1) });
  }
  const numbers = Object.keys(rest).filter((key) => !Array.isArray(rest[key]));
  const tables = Object.keys(rest).filter((key) => Array.isArray(rest[key]));
  const drawn = sampling as ({ scheme: Scheme } & Record<string, unknown>) | undefined;
  return mechanismStep(mechanism, texts(rest, numbers), {
    ...labels,
    tables: Object.fromEntries(tables.map((key) => [key, JSON.stringify(rest[key])])),
    sampling: drawn
      ? { scheme: drawn.scheme, values: texts(drawn, Object.keys(drawn).filter((key) => key !== 'scheme')) }
      : null,
  });
}
