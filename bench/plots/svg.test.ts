import { expect, test } from 'vitest';
import { drawAxis, picture, text, ticksUpTo } from './svg.ts';

test.each([
  [9900, [0, 2000, 4000, 6000, 8000, 10_000]],
  [4900, [0, 1000, 2000, 3000, 4000, 5000]],
  [310, [0, 100, 200, 300, 400]],
  [220, [0, 50, 100, 150, 200, 250]],
  [1, [0, 0.25, 0.5, 0.75, 1]],
  [0.3, [0, 0.1, 0.2, 0.3]],
  [0, [0, 1]],
])('an axis up to %d has round numbers', (highest, ticks) => {
  expect(ticksUpTo(highest)).toEqual(ticks);
});

test('no axis has fewer than three or more than nine numbers, and all values are on it', () => {
  for (let highest = 0.013; highest < 1e6; highest *= 1.07) {
    const ticks = ticksUpTo(highest);
    expect(ticks.length).toBeGreaterThanOrEqual(3);
    expect(ticks.length).toBeLessThanOrEqual(9);
    expect(ticks.at(-1)).toBeGreaterThanOrEqual(highest * 0.999);
  }
});

test('the axis begins at the bottom and ends at the top', () => {
  const { y, shapes } = drawAxis({ left: 0, right: 10, top: 20, bottom: 120 }, 4900);
  expect([y(0), y(2500), y(5000)]).toEqual([120, 70, 20]);
  expect(shapes.join('')).toContain('>5,000</text>');
});

test('texts cannot break the picture', () => {
  expect(picture('a < b', 10, 10, [text(1, 2, 'x & "y"')])).toMatch(
    /<title>a &lt; b<.*x &amp; &quot;y&quot;/s,
  );
});
