import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { expect, test } from 'vitest';
import { contentSecurityPolicy, SONNER_STYLE_HASHES } from './answer-headers.ts';

const hashOf = (text: string) => `sha256-${createHash('sha256').update(text).digest('base64')}`;

test('scripts run by the nonce only; HTTPS is asked for where it is used', () => {
  const policy = contentSecurityPolicy('abc', false);
  expect(policy).toContain("script-src 'self' 'nonce-abc' 'strict-dynamic';");
  expect(policy).not.toContain('upgrade-insecure-requests');
  expect(contentSecurityPolicy('abc', true)).toContain('upgrade-insecure-requests');
});

test('the style that sonner adds is the one whose hash is let through', () => {
  const code = readFileSync(createRequire(import.meta.url).resolve('sonner'), 'utf8');
  const [, css = '""'] = /^__insertCSS\((".*")\);?$/m.exec(code) ?? [];
  expect([hashOf(''), hashOf(JSON.parse(css) as string)]).toEqual([...SONNER_STYLE_HASHES]);
});

test('only development allows eval and styles without a nonce', () => {
  const [published, development] = [false, true].map((isDevelopment) =>
    contentSecurityPolicy('abc', false, isDevelopment),
  );
  expect(published).not.toMatch(/unsafe-eval|style-src [^;]*unsafe-inline/);
  expect(development).toMatch(/script-src [^;]*'unsafe-eval'/);
});
