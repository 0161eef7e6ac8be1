import { expect, test } from 'vitest';
import { Route } from './route.ts';

function world() {
  const clock = { ms: 0 };
  return { clock, route: new Route(() => clock.ms) };
}

test('an address is in doubt from a lost answer until the next answer', () => {
  const { route } = world();
  const first = route.sent();
  const second = route.sent();
  expect(route.isDoubtful).toBe(false);
  first.lost();
  expect(route.isDoubtful).toBe(true);
  second.answered();
  expect(route.isDoubtful).toBe(false);
});

test('it is in doubt while an answer is overdue, by what is usual', () => {
  const { clock, route } = world();
  for (let count = 0; count < 20; count += 1) {
    const request = route.sent();
    clock.ms += 1000;
    request.answered();
  }
  route.sent();
  clock.ms += 1400;
  expect(route.isDoubtful).toBe(false);
  clock.ms += 200;
  expect(route.isDoubtful).toBe(true);
});

test('a request that takes long is no reason for doubt while others are answered', () => {
  const { clock, route } = world();
  route.sent();
  for (let count = 0; count < 20; count += 1) {
    const request = route.sent();
    clock.ms += 400;
    request.answered();
    expect(route.isDoubtful).toBe(false);
  }
});

test('nothing is in doubt while nothing is under way', () => {
  const { clock, route } = world();
  route.sent().answered();
  clock.ms += 3_600_000;
  expect(route.isDoubtful).toBe(false);
});
