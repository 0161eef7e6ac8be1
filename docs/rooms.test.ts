import { expect, test } from 'vitest';
import { drawRooms, readPicture } from './draw-rooms.ts';

test('the picture of the rooms is up to date; `npm run docs:rooms` draws it', async () => {
  expect(await drawRooms()).toBe(readPicture());
});

test('every arrow goes down', () => {
  const arrows = [...readPicture().matchAll(/d="M\d+ (\d+)L.*?(\d+)" marker-end/g)];
  expect(arrows.length).toBeGreaterThan(10);
  for (const [arrow, start, end] of arrows) expect(Number(end), arrow).toBeGreaterThan(Number(start));
});
