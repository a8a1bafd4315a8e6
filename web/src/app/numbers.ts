// Numbers as people read them. What is a bound is rounded so that it stays one: upper bounds up, lower bounds down.

/** The decimal text of `value` with so many significant digits, rounded away from zero in the given direction. */
function rounded(value: number, digits: number, up: boolean): string {
  if (value === Infinity) return '∞';
  if (value === -Infinity) return '-∞';
  if (Number.isNaN(value)) return '–';
  if (value === 0) return '0';
  const [mantissa = '', power = '0'] = value.toExponential(digits - 1).split('e');
  // Numbers of few decimals are often meant as such, so that the nearest text stays if it reads back to the number.
  let units = BigInt(mantissa.replace('.', ''));
  let exponent = Number(power) - (digits - 1);
  const nearest = Number(`${units}e${exponent}`);
  if (up && nearest < value) units += 1n;
  if (!up && nearest > value) units -= 1n;
  // Below a power of ten one digit would be lost: 0.99999 where 0.999999 is as sound.
  if (!up && units.toString().length < digits) {
    units = 10n * units + 9n;
    exponent -= 1;
  }
  return plain(units, exponent);
}

/** units * 10^exponent without superfluous zeros; very large and very small numbers with a power of ten. */
function plain(units: bigint, exponent: number): string {
  const sign = units < 0n ? '-' : '';
  let digits = (units < 0n ? -units : units).toString();
  while (digits.length > 1 && digits.endsWith('0')) {
    digits = digits.slice(0, -1);
    exponent += 1;
  }
  const point = digits.length + exponent;
  if (point > 15 || point < -4) {
    const mantissa = digits.length > 1 ? `${digits[0]}.${digits.slice(1)}` : digits;
    return `${sign}${mantissa}e${point - 1}`;
  }
  if (exponent >= 0) return sign + digits + '0'.repeat(exponent);
  if (point > 0) return `${sign}${digits.slice(0, point)}.${digits.slice(point)}`;
  return `${sign}0.${'0'.repeat(-point)}${digits}`;
}

export const roundedUp = (value: number, digits = 6): string => rounded(value, digits, true);
export const roundedDown = (value: number, digits = 6): string => rounded(value, digits, false);

/** The nearest decimal of so many digits, for what is no bound: positions of sliders, widths, readouts. */
export function nearest(value: number, digits = 4): string {
  if (!Number.isFinite(value)) return rounded(value, digits, true);
  if (value === 0) return '0';
  const [mantissa = '', power = '0'] = value.toExponential(digits - 1).split('e');
  return plain(BigInt(mantissa.replace('.', '')), Number(power) - (digits - 1));
}

/** Whole numbers with thin spaces between groups of three digits, for prose. */
export function grouped(value: number): string {
  if (!Number.isSafeInteger(value)) return nearest(value, 6);
  return value.toString().replace(/\B(?=(\d{3})+$)/g, ',');
}

/** The number that a person typed, or undefined: digits may be grouped by commas, blanks or underscores. */
export function typed(text: string): number | undefined {
  const cleaned = text.trim().replace(/(\d)[,_\s](?=\d{3}(?!\d))/g, '$1');
  if (!/^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(cleaned)) return undefined;
  const value = Number(cleaned);
  return Number.isFinite(value) ? value : undefined;
}

/** A probability as people say it: "1 in 1,000", or a percentage. */
export function chance(probability: number): string {
  if (probability <= 0) return '0';
  if (probability >= 0.1) return `${nearest(100 * probability, 3)} %`;
  return `1 in ${grouped(Number(nearest(1 / probability, 3)))}`;
}
