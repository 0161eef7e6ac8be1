import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { makeBuild } from './builds.ts';
import { isFresh } from './sources.mjs';

/** Above every process id of a system. */
const NO_PROCESS = 2 ** 30;

function makeClone() {
  const root = mkdtempSync(join(tmpdir(), 'patchbay-builds-'));
  onTestFinished(() => rmSync(root, { recursive: true }));
  mkdirSync(join(root, 'server'));
  let made = 0;
  return {
    root,
    file: (path: string) => join(root, path),
    folders: () => readdirSync(root).filter((name) => name.startsWith('.programs-')),
    built: () => readFileSync(join(root, '.programs', 'web.mjs'), 'utf8'),
    made: () => made,
    change: (text: string) => writeFileSync(join(root, 'server', 'web.ts'), text),
    /** Builds from sources of this text. @returns the build's folder */
    async build(text: string): Promise<string> {
      writeFileSync(join(root, 'server', 'web.ts'), text);
      await makeBuild(root, 'programs', async (aside) => {
        made += 1;
        mkdirSync(aside);
        writeFileSync(join(aside, 'web.mjs'), text);
      });
      return realpathSync(join(root, '.programs'));
    },
  };
}

test('a build is in its place at once and whole, fresh until a source changes', async () => {
  const clone = makeClone();
  expect(isFresh(clone.root, 'programs')).toBe(false);
  await clone.build('one');
  expect([clone.built(), isFresh(clone.root, 'programs')]).toEqual(['one', true]);
  clone.change('two');
  expect(isFresh(clone.root, 'programs')).toBe(false);
  const fails = makeBuild(clone.root, 'programs', async (aside) => {
    mkdirSync(aside);
    writeFileSync(join(aside, 'web.mjs'), 'half');
    throw new Error('failed');
  });
  await expect(fails).rejects.toThrow('failed');
  expect([clone.built(), isFresh(clone.root, 'programs')]).toEqual(['one', false]);
  await clone.build('two');
  expect([clone.built(), isFresh(clone.root, 'programs')]).toEqual(['two', true]);
});

test('the build before stays, and one whose process lives; others are removed', async () => {
  const clone = makeClone();
  const first = await clone.build('one');
  writeFileSync(join(first, `used-by-${process.pid}`), '');
  const second = await clone.build('two');
  writeFileSync(join(second, `used-by-${NO_PROCESS}`), '');
  await clone.build('three');
  expect(clone.folders()).toHaveLength(3);
  await clone.build('four');
  expect(clone.folders()).toHaveLength(3);
  expect([existsSync(first), existsSync(second)]).toEqual([true, false]);
  rmSync(join(first, `used-by-${process.pid}`));
  await clone.build('five');
  expect(clone.folders()).toHaveLength(2);
});

test('a build that is still there is taken again, not made again', async () => {
  const clone = makeClone();
  await clone.build('one');
  await clone.build('two');
  await clone.build('one');
  expect([clone.built(), clone.made()]).toEqual(['one', 2]);
});

test('a folder of version 0.2, in the place of the link, is replaced', async () => {
  const clone = makeClone();
  mkdirSync(clone.file('.programs'));
  writeFileSync(clone.file('.programs/web.mjs'), 'old');
  expect(isFresh(clone.root, 'programs')).toBe(false);
  await clone.build('one');
  expect([clone.built(), clone.folders().length]).toEqual(['one', 2]);
  await clone.build('two');
  expect(existsSync(clone.file('.programs-before'))).toBe(false);
});
