// A picture of measured values over time.
import { drawAxis, fillOf, lineOf, picture, type Plane, round, text } from './svg.ts';

export interface Line {
  label: string;
  /** Across from 0 to 1, and the value there. */
  points: { at: number; value: number }[];
}

const WIDTH = 720;
const HEIGHT = 260;
const PLANE: Plane = { left: 56, right: WIDTH - 150, top: 34, bottom: HEIGHT - 30 };

/** Lines over a common axis that begins at 0. */
export function drawLines(title: string, across: string, lines: readonly Line[]): string {
  const values = lines.flatMap(({ points }) => points.map(({ value }) => value));
  const axis = drawAxis(PLANE, Math.max(0, ...values));
  const x = (at: number): number => PLANE.left + at * (PLANE.right - PLANE.left);
  const shapes = lines.map(({ label, points }, index) => {
    const path = points.map(({ at, value }) => `${round(x(at))},${round(axis.y(value))}`).join(' ');
    return (
      `<polyline points="${path}" class="${lineOf(index)}" fill="none" stroke-width="2"/>` +
      text(PLANE.right + 10, PLANE.top + 12 + index * 18, label, { className: fillOf(index) })
    );
  });
  return picture(title, WIDTH, HEIGHT, [
    text(PLANE.left, 18, title, { size: 14 }),
    ...axis.shapes,
    ...shapes,
    text(PLANE.left, HEIGHT - 8, across),
  ]);
}
