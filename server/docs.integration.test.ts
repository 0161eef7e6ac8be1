// The commands of the documents, page by page, against Patchbay as started by `npm start`. Those that also need a browser are
// in newcomer.integration.test.ts.
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  type Block,
  listDocuments,
  NEWCOMERS_WAY,
  placeOf,
  readBlocks,
  reasonNotToRun,
} from '../docs/testing/read-blocks.ts';
import { root } from './root.ts';
import { type DocumentedProduct, startDocumentedProduct } from './testing/documented-product.ts';
import { Terminal } from './testing/terminal.ts';

let product: DocumentedProduct;

beforeAll(async () => void (product = await startDocumentedProduct()), 240_000);
afterAll(() => product?.stop());

const url = (path: string): string => product.url + path;

interface Step {
  block: Block;
  expected: string | undefined;
}

/** The executable blocks of a page, each with its documented output. */
function stepsOf(file: string): Step[] {
  const blocks = readBlocks(root, file);
  return blocks.flatMap((block, index) => {
    if (block.language !== 'sh' || reasonNotToRun(block) !== null) return [];
    const next = blocks[index + 1];
    return [{ block, expected: next?.language === 'output' ? next.text : undefined }];
  });
}

const pages = listDocuments(root)
  .filter((file) => !NEWCOMERS_WAY.some((way) => way === file))
  .map((file) => [file, stepsOf(file)] as const)
  .filter(([, steps]) => steps.length > 0);

test('there are pages with commands', () => {
  expect(pages.map(([file]) => file)).toEqual(
    expect.arrayContaining(['README.md', 'docs/guides/receiving-webhooks.md', 'docs/guides/secrets.md']),
  );
});

describe.each(pages)('%s', (file, steps) => {
  test('its commands do what it says', async () => {
    const { place, apiKey } = product;
    const folder = file === 'README.md' ? root : join(place, file.replaceAll('/', '-'));
    mkdirSync(folder, { recursive: true });
    const terminal = new Terminal({
      folder,
      place,
      root,
      environment: { ...process.env, PATCHBAY_URL: url(''), PATCHBAY_API_KEY: apiKey },
      replacements: [['http://localhost:3000', url('')]],
    });
    for (const { block, expected } of steps)
      await terminal.run(block.text, expected).catch((cause: unknown) => {
        throw new Error(`${placeOf(block)}: ${(cause as Error).message}`, { cause });
      });
  });
});

test('the help is served, links only to pages that are there, and allows no inline script', async () => {
  const first = await fetch(url('/help'));
  expect(first.url).toBe(url('/help/'));
  expect(first.headers.get('content-security-policy')).toContain("script-src 'self';");
  const seen = new Set<string>();
  const queue = ['/help/'];
  const broken: string[] = [];
  for (let path = queue.shift(); path !== undefined; path = queue.shift()) {
    const response = await fetch(url(path));
    if (response.status !== 200) broken.push(path);
    if (!response.headers.get('content-type')?.startsWith('text/html')) continue;
    const html = await response.text();
    expect(/<script(?![^>]* src=)[^>]*>/.exec(html), path).toBeNull();
    for (const [, link = ''] of html.matchAll(/(?:href|src)="(\/[^"#]*)/g)) {
      const target = new URL(link, url('/')).pathname;
      if (seen.has(target) || !target.startsWith('/help/')) continue;
      seen.add(target);
      queue.push(target);
    }
  }
  expect(broken).toEqual([]);
  expect(seen.size).toBeGreaterThan(60);
  expect((await fetch(url('/help/no-such-page'))).status).toBe(404);
  expect((await fetch(url('/help/'), { method: 'POST' })).status).toBe(405);
});
