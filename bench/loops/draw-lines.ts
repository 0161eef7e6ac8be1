// A picture of measured values over time, as SVG that reads in light and dark.
export interface Line {
  label: string;
  /** Across from 0 to 1, and the value there. */
  points: { at: number; value: number }[];
}

const WIDTH = 720;
const HEIGHT = 260;
const MARGIN = { left: 56, right: 150, top: 34, bottom: 30 };
const COLORS = ['#2563eb', '#d97706', '#059669', '#9333ea'];

/** Lines over a common axis that begins at 0. */
export function drawLines(title: string, across: string, lines: readonly Line[]): string {
  const highest = Math.max(...lines.flatMap(({ points }) => points.map(({ value }) => value))) * 1.1;
  const x = (at: number): number => MARGIN.left + at * (WIDTH - MARGIN.left - MARGIN.right);
  const y = (value: number): number =>
    HEIGHT - MARGIN.bottom - (value / highest) * (HEIGHT - MARGIN.top - MARGIN.bottom);
  const text = (left: number, top: number, content: string, more = ''): string =>
    `<text x="${left.toFixed(0)}" y="${top.toFixed(0)}" ${more}>${content}</text>`;
  const marks = [0, 0.5, 1].map((share) => {
    const value = highest * share;
    return (
      `<line x1="${MARGIN.left}" x2="${WIDTH - MARGIN.right}" y1="${y(value).toFixed(1)}" y2="${y(value).toFixed(1)}" stroke="#8884"/>` +
      text(MARGIN.left - 8, y(value) + 4, value.toFixed(0), 'text-anchor="end"')
    );
  });
  const shapes = lines.map(({ label, points }, index) => {
    const color = COLORS[index % COLORS.length];
    const path = points.map(({ at, value }) => `${x(at).toFixed(1)},${y(value).toFixed(1)}`).join(' ');
    const top = MARGIN.top + 12 + index * 18;
    return (
      `<polyline points="${path}" fill="none" stroke="${color}" stroke-width="2"/>` +
      text(WIDTH - MARGIN.right + 10, top, label, `style="fill:${color}"`)
    );
  });
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${HEIGHT}" font-family="sans-serif" font-size="12">`,
    '<style>text{fill:#64748b}</style>',
    text(MARGIN.left, 18, title, 'font-size="14"'),
    ...marks,
    ...shapes,
    text(MARGIN.left, HEIGHT - 8, across),
    '</svg>\n',
  ].join('\n');
}
