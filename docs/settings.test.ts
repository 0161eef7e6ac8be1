import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { settingsSchema } from '#lib/core/env.ts';
import { OF_THE_LAUNCHER, renderSettings } from './site/render-settings.ts';
import { SETTING_GROUPS } from './site/setting-texts.ts';

const described = Object.values(SETTING_GROUPS).flatMap((group) => Object.keys(group));

test('every setting is described once: a new one gets a text in docs/site/setting-texts.ts', () => {
  expect(described.toSorted()).toEqual([...Object.keys(settingsSchema.shape), ...OF_THE_LAUNCHER].toSorted());
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

test('docs/reference/settings.md is what they say: `vitest run --project pure docs/settings --update` writes it', async () => {
  await expect(renderSettings()).toMatchFileSnapshot('reference/settings.md');
});

function hasDefault(name: string): boolean {
  const schema = settingsSchema.shape[name as keyof typeof settingsSchema.shape];
  return (
    schema !== undefined && ![undefined, ''].includes(schema.safeParse(undefined).data as string | undefined)
  );
}
