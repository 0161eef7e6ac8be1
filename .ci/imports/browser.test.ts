import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { assertBrowserImports } from './browser.ts';

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'patchbay-imports-'));
  write('package.json', '{"type": "module", "imports": {"#lib/*": "./lib/*"}}');
  write('tsconfig.json', '{"compilerOptions": {"verbatimModuleSyntax": true, "jsx": "react-jsx"}}');
  write('lib/names.ts', `export { readName } from './read-name.ts';`);
  write(
    'lib/read-name.ts',
    `import { readFileSync } from 'node:fs'; export const readName = () => readFileSync('x');`,
  );
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

function write(path: string, content: string): void {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), content);
}

it('shows how a component comes to a module of the server, and what to do instead', async () => {
  write(
    'components/name.tsx',
    `import { readName } from '#lib/names.ts'; export const Name = () => <b>{readName()}</b>;`,
  );
  await expect(assertBrowserImports(root)).rejects.toThrow(
    /components\/name\.tsx → lib\/names\.ts → lib\/read-name\.ts → node:fs\n.*import only its types/,
  );
});

it.each([
  [`import { Pool } from 'pg'; new Pool();`, 'pg'],
  [`import { sql } from 'drizzle-orm/pg-core'; sql();`, 'drizzle-orm/pg-core'],
  [`import NextAuth from 'next-auth'; NextAuth();`, 'next-auth'],
  [`export const load = () => import('fs/promises');`, 'fs/promises'],
])('finds %s', async (content, library) => {
  write('components/name.ts', content);
  await expect(assertBrowserImports(root)).rejects.toThrow(`components/name.ts → ${library}`);
});

it('lets types, libraries of the browser and tests of components pass', async () => {
  write(
    'components/name.ts',
    `import type { Pool } from 'pg'; export type { readName } from '#lib/names.ts'; export type P = Pool;`,
  );
  write('components/sign-out.ts', `export { signOut } from 'next-auth/react';`);
  write('components/name.test.ts', `import 'node:fs';`);
  write('components/testing/read.ts', `import 'node:fs';`);
  await expect(assertBrowserImports(root)).resolves.toBeUndefined();
});
