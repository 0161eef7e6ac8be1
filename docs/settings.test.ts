import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { settingsSchema } from '#lib/core/env.ts';
import { traceSettingsShape } from '#lib/core/trace-settings.ts';
import { OF_THE_LAUNCHER, renderContributorSettings, renderSettings } from './site/render-settings.ts';
import { CONTRIBUTOR_SETTINGS, SETTING_GROUPS } from './site/setting-texts.ts';

const ofUsers = Object.values(SETTING_GROUPS).flatMap((group) => Object.keys(group));
const ofContributors = Object.keys(CONTRIBUTOR_SETTINGS);
/** Described by OpenTelemetry. */
const ofTraces = Object.keys(traceSettingsShape);
const ONLY_OF_TESTS = ['TEST_DATABASE_URL', 'TEST_POSTGRES', 'TEST_PARTITIONED', 'PLAYWRIGHT_CHROMIUM_PATH'];

test('every setting is described once: a new one gets a text in docs/site/setting-texts.ts', () => {
  expect([...ofUsers, ...ofContributors, ...ofTraces].toSorted()).toEqual(
    [...Object.keys(settingsSchema.shape), ...OF_THE_LAUNCHER, ...ONLY_OF_TESTS].toSorted(),
  );
});

test('users read when they need a setting, and none that is for tests or is described by OpenTelemetry', () => {
  expect(ofUsers.filter((name) => /^(OTEL|TEST|PLAYWRIGHT|FIRST_LEG|WEBHOOK_DOOR)/.test(name))).toEqual([]);
  const rows = renderSettings()
    .split('\n')
    .filter((line) => line.startsWith('| `'));
  expect(rows).toHaveLength(ofUsers.length);
  expect(rows.filter((row) => !/^\| `\w+` \| [^|]+ \*Set it when:\* [A-Z][^|]+\. \|/.test(row))).toEqual([]);
});

test('a setting without a default says what happens without it', () => {
  const silent = Object.values(SETTING_GROUPS).flatMap((group) =>
    Object.entries(group)
      .filter(([name, { otherwise }]) => otherwise === undefined && !hasDefault(name))
      .map(([name]) => name),
  );
  expect(silent).toEqual([]);
});

test('examples are accepted', () => {
  const refused = Object.values(SETTING_GROUPS).flatMap((group) =>
    Object.entries(group).flatMap(([name, { example }]) => {
      const schema = settingsSchema.shape[name as keyof typeof settingsSchema.shape];
      return schema === undefined || /^(a|of) /.test(example) || schema.safeParse(example).success
        ? []
        : [name];
    }),
  );
  expect(refused).toEqual([]);
});

test('the settings that the launcher reads itself are those', () => {
  const source = readFileSync(join(import.meta.dirname, '..', 'server', 'launcher', 'settings.ts'), 'utf8');
  for (const name of OF_THE_LAUNCHER) expect(source).toContain(`'${name}'`);
});

test('docs/reference/settings.md is what they say: `npm run generate` writes it', async () => {
  await expect(renderSettings()).toMatchFileSnapshot('reference/settings.md');
  await expect(renderContributorSettings()).toMatchFileSnapshot('reference/test-settings.md');
});

function hasDefault(name: string): boolean {
  const schema = settingsSchema.shape[name as keyof typeof settingsSchema.shape];
  return (
    schema !== undefined && ![undefined, ''].includes(schema.safeParse(undefined).data as string | undefined)
  );
}
