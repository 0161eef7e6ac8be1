// What our plots share: pictures that read in light and dark, and axes with round numbers.

/** Of series, in order; each reads on white and, lighter, on black. */
const COLORS = [
  ['#2563eb', '#60a5fa'],
  ['#059669', '#34d399'],
  ['#7c3aed', '#a78bfa'],
  ['#d97706', '#fbbf24'],
  ['#db2777', '#f472b6'],
  ['#0891b2', '#22d3ee'],
] as const;

const rules = (mode: 0 | 1, background: string, text: string, grid: string): string =>
  `.background{fill:${background}}text{fill:${text}}.grid{stroke:${grid}}` +
  COLORS.map((pair, index) => `.fill${index}{fill:${pair[mode]}}.line${index}{stroke:${pair[mode]}}`).join(
    '',
  );

const STYLE =
  rules(0, '#ffffff', '#334155', '#e2e8f0') +
  `@media (prefers-color-scheme:dark){${rules(1, '#0d1117', '#cbd5e1', '#30363d')}}`;

/** The class that fills with a series' colour. */
export const fillOf = (series: number): string => `fill${series % COLORS.length}`;
/** The class that draws lines in a series' colour. */
export const lineOf = (series: number): string => `line${series % COLORS.length}`;

export interface TextOptions {
  anchor?: 'start' | 'middle' | 'end';
  size?: number;
  className?: string;
}

/** A text whose baseline begins, is centred or ends there. */
export function text(x: number, y: number, content: string, options: TextOptions = {}): string {
  const { anchor, size, className } = options;
  const more =
    (anchor ? ` text-anchor="${anchor}"` : '') +
    (size ? ` font-size="${size}"` : '') +
    (className ? ` class="${className}"` : '');
  return `<text x="${round(x)}" y="${round(y)}"${more}>${escape(content)}</text>`;
}

export const escape = (content: string): string =>
  content.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');

/** The whole picture; the title is what screen readers say. */
export function picture(title: string, width: number, height: number, shapes: readonly string[]): string {
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${round(height)}" font-family="system-ui,sans-serif" font-size="12" role="img">`,
    `<title>${escape(title)}</title>`,
    `<style>${STYLE}</style>`,
    '<rect class="background" width="100%" height="100%"/>',
    ...shapes,
    '</svg>\n',
  ].join('\n');
}

export interface Plane {
  left: number;
  right: number;
  top: number;
  bottom: number;
}

/** Horizontal lines with the numbers of an axis that begins at 0; and where a value is. */
export function drawAxis(plane: Plane, highest: number): { shapes: string[]; y: (value: number) => number } {
  const ticks = ticksUpTo(highest);
  const end = ticks.at(-1) ?? 1;
  const y = (value: number): number => plane.bottom - (value / end) * (plane.bottom - plane.top);
  const shapes = ticks.map(
    (tick) =>
      `<line class="grid" x1="${plane.left}" x2="${plane.right}" y1="${round(y(tick))}" y2="${round(y(tick))}"/>` +
      text(plane.left - 6, y(tick) + 4, tick.toLocaleString('en'), { anchor: 'end', size: 11 }),
  );
  return { shapes, y };
}

const FEWEST_TICKS = 4;

/** Round numbers from 0 to the first that is not below the highest value. */
export function ticksUpTo(highest: number): number[] {
  if (!(highest > 0)) return [0, 1];
  const magnitude = 10 ** Math.floor(Math.log10(highest));
  const step = [2, 1, 0.5, 0.25, 0.2]
    .map((factor) => factor * magnitude)
    .find((candidate) => highest / candidate > FEWEST_TICKS - 1 - 1e-9);
  const width = step ?? magnitude / 5;
  const count = Math.ceil(highest / width - 1e-9);
  return Array.from({ length: count + 1 }, (_, index) => Number((index * width).toPrecision(6)));
}

export const round = (value: number): number => Math.round(value * 10) / 10;
