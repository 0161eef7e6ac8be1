import { expect, test } from 'vitest';
import { newToken } from '#lib/core/crypto/token.ts';
import { hideLinks } from './approval-link.ts';

test('approval links in a text lose their token', () => {
  const link = `https://patchbay.example/resume/${newToken()}`;
  expect(hideLinks(`{"url":"${link}","text":"Please decide: ${link}."}`)).toBe(
    '{"url":"https://patchbay.example/resume/••••","text":"Please decide: https://patchbay.example/resume/••••."}',
  );
  expect(hideLinks('https://example.com/resume/jane-doe')).toBe('https://example.com/resume/jane-doe');
});
