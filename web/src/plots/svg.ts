// A figure as a document of its own: SVG text with nothing that lies elsewhere, readable in light surroundings.
import { nearest } from '../app/numbers';
import { type Axis, type Curve, type Figure, ticks } from './figure';

const size = { width: 760, height: 460 };
const frame = { left: 78, right: 24, top: 54, bottom: 58 };
const colours = { current: '#0f6b66', pinned: '#b4540a', reference: '#8a8f98' };

const escaped = (text: string) => text.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;');

function scale(axis: Axis, from: number, to: number): (value: number) => number {
  const place = axis.log ? Math.log10 : (value: number) => value;
  const [low, high] = [place(axis.range[0]), place(axis.range[1])];
  return (value) => from + ((place(value) - low) / (high - low)) * (to - from);
}

export function tickText(value: number, log: boolean): string {
  if (value === 0) return '0';
  if (log && (value < 0.001 || value >= 1e5)) return `1e${Math.round(Math.log10(value))}`;
  return nearest(value, 4);
}

/** Points outside of the frame are left out, but for the next one, which the clip cuts. */
function path(curve: Curve, x: (value: number) => number, y: (value: number) => number, figure: Figure): string {
  const points: string[] = [];
  curve.x.forEach((value, index) => {
    const height = curve.y[index]!;
    if ((figure.x.log && value <= 0) || !Number.isFinite(height)) return;
    const shown = figure.y.log ? Math.max(height, figure.y.range[0] / 10) : height;
    points.push(`${points.length ? 'L' : 'M'}${x(value).toFixed(2)} ${y(shown).toFixed(2)}`);
  });
  return points.join('');
}

export function svgOf(figure: Figure): string {
  const { width, height } = size;
  const x = scale(figure.x, frame.left, width - frame.right);
  const y = scale(figure.y, height - frame.bottom, frame.top);
  const parts: string[] = [];
  for (const mark of ticks(figure.x, 8)) {
    const at = x(mark).toFixed(2);
    parts.push(`<path d="M${at} ${frame.top}V${height - frame.bottom}" stroke="#e3e5e8"/>`);
    parts.push(`<text x="${at}" y="${height - frame.bottom + 20}" text-anchor="middle">${tickText(mark, figure.x.log)}</text>`);
  }
  for (const mark of ticks(figure.y, 7)) {
    const at = y(mark).toFixed(2);
    parts.push(`<path d="M${frame.left} ${at}H${width - frame.right}" stroke="#e3e5e8"/>`);
    parts.push(`<text x="${frame.left - 9}" y="${Number(at) + 4}" text-anchor="end">${tickText(mark, figure.y.log)}</text>`);
  }
  for (const curve of figure.curves) {
    if (curve.x.length === 0) continue;
    const dashes = curve.dashed ? ' stroke-dasharray="6 5"' : '';
    parts.push(
      `<path d="${path(curve, x, y, figure)}" fill="none" stroke="${colours[curve.role]}" stroke-width="2.2"${dashes} clip-path="url(#frame)"/>`,
    );
  }
  let place = frame.left;
  for (const curve of figure.curves.filter((one) => one.x.length > 0)) {
    const dashes = curve.dashed ? ' stroke-dasharray="6 5"' : '';
    parts.push(`<path d="M${place} 40h26" stroke="${colours[curve.role]}" stroke-width="2.2"${dashes}/>`);
    parts.push(`<text x="${place + 32}" y="44">${escaped(curve.label)}</text>`);
    place += 50 + 7 * curve.label.length;
  }
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" role="img" font-family="DejaVu Sans, Helvetica, Arial, sans-serif" font-size="12" fill="#22262b">` +
    `<title>${escaped(figure.title)}</title><desc>${escaped(figure.summary)}</desc>` +
    `<defs><clipPath id="frame"><rect x="${frame.left}" y="${frame.top}" width="${width - frame.left - frame.right}" height="${height - frame.top - frame.bottom}"/></clipPath></defs>` +
    `<rect width="${width}" height="${height}" fill="#fff"/>` +
    `<text x="${frame.left}" y="22" font-size="15" font-weight="600">${escaped(figure.title)}</text>` +
    parts.join('') +
    `<rect x="${frame.left}" y="${frame.top}" width="${width - frame.left - frame.right}" height="${height - frame.top - frame.bottom}" fill="none" stroke="#9aa0a8"/>` +
    `<text x="${(frame.left + width - frame.right) / 2}" y="${height - 14}" text-anchor="middle">${escaped(figure.x.label)}</text>` +
    `<text transform="translate(18 ${(frame.top + height - frame.bottom) / 2}) rotate(-90)" text-anchor="middle">${escaped(figure.y.label)}</text>` +
    `</svg>\n`
  );
}

/** The same picture as pixels, twice as fine as on the screen. */
export async function pngOf(figure: Figure): Promise<Blob> {
  const address = URL.createObjectURL(new Blob([svgOf(figure)], { type: 'image/svg+xml' }));
  try {
    const image = new Image();
    image.src = address;
    await image.decode();
    const canvas = document.createElement('canvas');
    canvas.width = 2 * size.width;
    canvas.height = 2 * size.height;
    canvas.getContext('2d')?.drawImage(image, 0, 0, canvas.width, canvas.height);
    return await new Promise((resolve, reject) =>
      canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new Error('The picture could not be made.'))), 'image/png'),
    );
  } finally {
    URL.revokeObjectURL(address);
  }
}
