import { expect, test } from 'vitest';
import { parseSettings } from '#lib/core/env.ts';
import { toGraphUrl } from './graph.ts';
import { platformSettingsOf } from './settings.ts';

const settings = platformSettingsOf(
  parseSettings({ DATABASE_URL: 'postgres://unused', MESSAGING_GRAPH_URL: 'https://graph.example' }),
);
const urlOf = (...path: string[]) => toGraphUrl({ settings, accessToken: 'token' }, path).href;

test('segments of a path are encoded', () => {
  expect(urlOf('a/b', 'messages')).toBe('https://graph.example/v18.0/a%2Fb/messages');
});

test.each(['', '.', '..'])('a segment that leads elsewhere is no object: “%s”', (segment) => {
  expect(() => urlOf(segment, 'register')).toThrow('Not found');
});
