import { expect, test } from 'vitest';
import {
  parseMachineTimes,
  parseProcessTimes,
  readFamilySeconds,
  readProcessTimes,
  sumFamilySeconds,
} from './process-times.ts';

const stat = (name: string, parent: number, own: [number, number], ended: [number, number]): string =>
  `412 (${name}) S ${parent} 412 412 0 -1 4194560 1 2 3 4 ${own.join(' ')} ${ended.join(' ')} 20 0 1 0 500 600 700`;

test('a process is read whatever its name holds', () => {
  const expected = { parent: 7, ownSeconds: 1.5, endedChildrenSeconds: 0.3 };
  expect(parseProcessTimes(stat('node', 7, [100, 50], [20, 10]))).toEqual(expected);
  expect(parseProcessTimes(stat('a (b) S 1 2', 7, [100, 50], [20, 10]))).toEqual(expected);
});

test('the machine is busy with all but idling, waiting for disks, and what other machines took', () => {
  const text = 'cpu  100 20 30 4000 500 6 7 80 0 0\ncpu0 1 2 3 4 5 6 7 8 0 0\nintr 1\n';
  expect(parseMachineTimes(text)).toEqual({ busySeconds: 1.63, stolenSeconds: 0.8 });
});

test('a family is the process, all below it and those of them that ended', () => {
  const times = new Map([
    [1, { parent: 0, ownSeconds: 1000, endedChildrenSeconds: 1000 }],
    [10, { parent: 1, ownSeconds: 1, endedChildrenSeconds: 20 }],
    [11, { parent: 10, ownSeconds: 300, endedChildrenSeconds: 0 }],
    [12, { parent: 11, ownSeconds: 4000, endedChildrenSeconds: 0 }],
    [13, { parent: 1, ownSeconds: 50_000, endedChildrenSeconds: 0 }],
  ]);
  expect(sumFamilySeconds(times, 10)).toBe(4321);
  expect(sumFamilySeconds(times, 10, [11])).toBe(4021);
});

test.runIf(process.platform === 'linux')('this process has used time, and so has its family', () => {
  const own = readProcessTimes(process.pid);
  expect(own.parent).toBe(process.ppid);
  expect(readFamilySeconds(process.pid)).toBeGreaterThanOrEqual(own.ownSeconds);
  expect(() => readProcessTimes(2 ** 30)).toThrow('ENOENT');
});
