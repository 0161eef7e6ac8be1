import { globSync, readFileSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { describe, expect, it } from 'vitest';
import { refuseForeignPost, ROUTES_WITH_OTHER_METHODS } from './foreign-posts.ts';

const app = new URL('../../app/', import.meta.url).pathname;

/** The URL of a folder of `app/`: without groups and optional segments. */
const pathOf = (file: string): string =>
  `/${file
    .replace(/\(\w+\)\//g, '')
    .replace(/\/?(?:route|page)\.tsx?$/, '')
    .replace(/\/\[\[\.{3}\w+\]\]$/, '')}`;

describe('paths with methods that pages do not have', () => {
  it('are those of the route handlers that export one', () => {
    const withOthers = globSync('**/route.ts', { cwd: app }).filter((file) =>
      /\b(?:POST|PUT|PATCH|DELETE)\b/.test(readFileSync(app + file, 'utf8')),
    );
    expect(withOthers.length).toBeGreaterThan(4);
    for (const file of withOthers) expect(pathOf(file)).toMatch(ROUTES_WITH_OTHER_METHODS);
  });

  it('are no pages', () => {
    const pages = globSync('**/page.tsx', { cwd: app });
    expect(pages.length).toBeGreaterThan(10);
    for (const file of pages) expect(pathOf(file)).not.toMatch(ROUTES_WITH_OTHER_METHODS);
  });
});

/** The status of the refusal; undefined: Next answers. */
function statusOf(
  request: { url: string; headers: Record<string, string> },
  development = false,
): number | undefined {
  let answered: number | undefined;
  const res = { writeHead: (status: number) => (answered = status), end: () => undefined };
  const req = { method: 'POST', ...request } as unknown as IncomingMessage;
  refuseForeignPost({ development }, req, res as unknown as ServerResponse);
  return answered;
}

describe("tools of Next's development server", () => {
  const request = {
    url: '/__nextjs_original-stack-frames',
    headers: { 'content-type': 'application/json' },
  };
  it('get what their pages send in development', () => expect(statusOf(request, true)).toBeUndefined());
  it('are refused otherwise', () => expect(statusOf(request)).toBe(405));
  it('open no page to posts', () => expect(statusOf({ ...request, url: '/workflows' }, true)).toBe(405));
});

describe('server actions', () => {
  const answerTo = (headers: Record<string, string>) =>
    statusOf({ url: '/workflows', headers: { 'next-action': 'a1', ...headers } });

  it.each([
    [{ host: 'patchbay.example', origin: 'https://patchbay.example' }, undefined],
    [{ host: 'patchbay.example:3000', origin: 'http://patchbay.example:3000' }, undefined],
    [
      { host: 'web:3000', 'x-forwarded-host': 'patchbay.example', origin: 'https://patchbay.example' },
      undefined,
    ],
    [{ host: 'patchbay.example' }, undefined],
    [{ host: 'patchbay.example', origin: 'https://other.example' }, 403],
    [{ host: 'patchbay.example', origin: 'null' }, 403],
    [{ host: 'patchbay.example', origin: 'https://patchbay.example:8443' }, 403],
  ])('of another site are refused: %j', (headers, expected) => {
    expect(answerTo(headers)).toBe(expected);
  });
});
