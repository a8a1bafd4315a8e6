// How a budget was spent, as data for the chart, the table and the picture.
import { nearest, roundedUp } from '../app/numbers';
import { numberOf } from '../engine/answers';
import { ticks } from '../plots/figure';
import type { BurnDownPoint } from './answers';

export interface BurnDown {
  title: string;
  name: string;
  /** Seconds since 1970. */
  times: number[];
  spent: number[];
  limits: number[];
  left: number[];
  entries: number[];
  charges: number[];
  changes: { time: number; from: number | undefined; to: number }[];
}

/** One number of the balances over time, up to now. */
export function burnDownOf(scope: string, points: BurnDownPoint[], place: number, now: number): BurnDown {
  const name = points[0]?.balances[place]?.name ?? '';
  const burn: BurnDown = { title: `${scope}: ${name} spent`, name, times: [], spent: [], limits: [], left: [], entries: [], charges: [], changes: [] };
  for (const point of points) {
    const balance = point.balances[place];
    if (!balance) continue;
    const time = Date.parse(point.time) / 1000;
    const limit = numberOf(balance.limit);
    const before = burn.limits[burn.limits.length - 1];
    if (before !== undefined && before !== limit) burn.changes.push({ time, from: before, to: limit });
    // A clock that was set back does not order entries; the chart keeps their order.
    burn.times.push(Math.max(time, burn.times[burn.times.length - 1] ?? time));
    burn.spent.push(numberOf(balance.spent));
    burn.limits.push(limit);
    burn.left.push(numberOf(balance.left));
    burn.entries.push(point.entry);
    burn.charges.push(point.charges);
  }
  const last = burn.times.length - 1;
  if (last >= 0) burn.times.push(Math.max(now, burn.times[last]! + 1));
  for (const list of [burn.spent, burn.limits, burn.left, burn.entries, burn.charges]) if (last >= 0) list.push(list[last]!);
  return burn;
}

export const highest = (burn: BurnDown): number => 1.06 * Math.max(...burn.limits.filter(Number.isFinite), ...burn.spent.filter(Number.isFinite), 1e-300);

/** The chart in one sentence, for those who do not see it. */
export function summaryOf(burn: BurnDown): string {
  const last = burn.spent.length - 1;
  if (last < 0) return 'Nothing was charged yet.';
  const rises = burn.changes.length === 0 ? '' : ` The budget changed ${burn.changes.length === 1 ? 'once' : `${burn.changes.length} times`}.`;
  return `${burn.name} rose from 0 to ${roundedUp(burn.spent[last]!, 4)} of ${nearest(burn.limits[last]!, 4)} in ${burn.charges[last]} ${burn.charges[last] === 1 ? 'charge' : 'charges'}.${rises}`;
}

const escaped = (text: string) => text.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;');
export const picture = { width: 760, height: 420 };

/** Dates at which labels stand: a few, evenly apart. */
function dates(from: number, to: number): { at: number; text: string }[] {
  const span = to - from;
  const format = new Intl.DateTimeFormat(undefined, span > 2 * 86400 ? { month: 'short', day: 'numeric' } : { hour: '2-digit', minute: '2-digit', second: span < 600 ? '2-digit' : undefined });
  return [0.05, 0.275, 0.5, 0.725, 0.95].map((share) => ({ at: from + share * span, text: format.format(new Date(1000 * (from + share * span))) }));
}

const stepped = (xs: number[], ys: number[]): string => xs.map((x, index) => (index === 0 ? `M${x.toFixed(2)} ${ys[0]!.toFixed(2)}` : `H${x.toFixed(2)}V${ys[index]!.toFixed(2)}`)).join('');

/** The chart as a document of its own, readable in light surroundings. */
export function svgOf(burn: BurnDown): string {
  const { width, height } = picture;
  const frame = { left: 78, right: 24, top: 54, bottom: 46 };
  const [from, to] = [burn.times[0] ?? 0, burn.times[burn.times.length - 1] ?? 1];
  const top = highest(burn);
  const x = (time: number) => frame.left + ((time - from) / (to - from)) * (width - frame.left - frame.right);
  const y = (value: number) => height - frame.bottom - (Math.min(Math.max(value, 0), top) / top) * (height - frame.top - frame.bottom);
  const parts: string[] = [];
  for (const mark of ticks({ scale: 'linear', range: [0, top] }, 6)) {
    parts.push(`<path d="M${frame.left} ${y(mark).toFixed(2)}H${width - frame.right}" stroke="#e3e5e8"/>`);
    parts.push(`<text x="${frame.left - 8}" y="${(y(mark) + 4).toFixed(2)}" text-anchor="end">${nearest(mark, 4)}</text>`);
  }
  for (const { at, text } of dates(from, to)) {
    parts.push(`<text x="${x(at).toFixed(2)}" y="${height - frame.bottom + 20}" text-anchor="middle">${escaped(text)}</text>`);
  }
  const [xs, spent, limits] = [burn.times.map(x), burn.spent.map(y), burn.limits.map(y)];
  parts.push(`<path d="${stepped(xs, spent)}V${y(0)}H${frame.left}Z" fill="#0f6b66" fill-opacity="0.15"/>`);
  parts.push(`<path d="${stepped(xs, spent)}" fill="none" stroke="#0f6b66" stroke-width="2.2"/>`);
  parts.push(`<path d="${stepped(xs, limits)}" fill="none" stroke="#b4540a" stroke-width="1.8" stroke-dasharray="6 5"/>`);
  for (const { time, to: limit } of burn.changes) parts.push(`<circle cx="${x(time).toFixed(2)}" cy="${y(limit).toFixed(2)}" r="4" fill="#b4540a"/>`);
  const legend = (at: number, colour: string, dash: string, text: string) =>
    `<path d="M${at} 40h26" stroke="${colour}" stroke-width="2.2"${dash}/><text x="${at + 32}" y="44">${text}</text>`;
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" role="img" font-family="DejaVu Sans, Helvetica, Arial, sans-serif" font-size="12" fill="#22262b">` +
    `<title>${escaped(burn.title)}</title><desc>${escaped(summaryOf(burn))}</desc><rect width="${width}" height="${height}" fill="#fff"/>` +
    `<text x="${frame.left}" y="22" font-size="15" font-weight="600">${escaped(burn.title)}</text>` +
    legend(frame.left, '#0f6b66', '', 'spent') +
    legend(frame.left + 90, '#b4540a', ' stroke-dasharray="6 5"', 'budget') +
    parts.join('') +
    `<path d="M${frame.left} ${frame.top}V${height - frame.bottom}H${width - frame.right}" fill="none" stroke="#9aa0a8"/></svg>\n`
  );
}

/** The same picture as pixels, twice as fine as on the screen. */
export async function pngOf(burn: BurnDown): Promise<Blob> {
  const address = URL.createObjectURL(new Blob([svgOf(burn)], { type: 'image/svg+xml' }));
  try {
    const image = new Image();
    image.src = address;
    await image.decode();
    const canvas = document.createElement('canvas');
    canvas.width = 2 * picture.width;
    canvas.height = 2 * picture.height;
    canvas.getContext('2d')?.drawImage(image, 0, 0, canvas.width, canvas.height);
    return await new Promise((resolve, reject) =>
      canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new Error('The picture could not be made.'))), 'image/png'),
    );
  } finally {
    URL.revokeObjectURL(address);
  }
}
