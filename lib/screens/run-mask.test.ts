import { expect, test } from 'vitest';
import { newToken } from '#lib/core/crypto/token.ts';
import { runMask } from './run-mask.ts';

test('viewers are shown no approval link that they could decide by', () => {
  const text = `{"url":"https://patchbay.example/resume/${newToken()}","to":"15550101001"}`;
  expect(runMask({ role: 'editor', masksNumbers: true })(text)).toBe(text);
  expect(runMask({ role: 'viewer', masksNumbers: false })(text)).toBe(
    '{"url":"https://patchbay.example/resume/••••","to":"15550101001"}',
  );
  expect(runMask({ role: 'viewer', masksNumbers: true })(text)).toBe(
    '{"url":"https://patchbay.example/resume/••••","to":"••••1001"}',
  );
});
