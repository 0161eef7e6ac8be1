import { expect, it } from 'vitest';
import * as z from 'zod';
import { listVariableFields } from './variable-fields.ts';

const schema = z
  .strictObject({
    plain: z.string(),
    text: z.string().default('').meta({ variables: true }),
    inner: z.string().meta({ variables: true }).optional(),
    components: z.string().nullable().meta({ variables: true, keepPlaceholders: true }),
    list: z
      .array(z.strictObject({ name: z.string(), value: z.string().meta({ variables: true }) }))
      .default([]),
    either: z.union([z.strictObject({ deep: z.string().meta({ variables: true }) }), z.number()]),
    any: z.array(z.unknown()).meta({ variables: true }),
  })
  .refine(() => true);

it('finds variable texts through every wrapper of the schema', () => {
  const settings = {
    plain: '{{no}}',
    text: 'a',
    inner: 'b',
    components: '{{1}}',
    list: [{ name: '{{no}}', value: 'c' }, { name: 'x' }],
    either: { deep: 'd' },
    any: ['e', 5, { f: 'g' }],
    unknown: '{{no}}',
  };
  const field = (path: string, text: string, keepPlaceholders = false) => ({ path, text, keepPlaceholders });
  expect(listVariableFields(schema, settings)).toEqual([
    field('settings.text', 'a'),
    field('settings.inner', 'b'),
    field('settings.components', '{{1}}', true),
    field('settings.list[0].value', 'c'),
    field('settings.either.deep', 'd'),
    field('settings.any[0]', 'e'),
    field('settings.any[2].f', 'g'),
  ]);
});

it('takes whatever a draft holds', () => {
  for (const settings of [null, 5, [], { list: 'x', either: null, text: 5 }]) {
    expect(listVariableFields(schema, settings)).toEqual([]);
  }
});
