// What is remembered of customers, for the API, the screens and the tasks.
import * as z from 'zod';
import { evidenceSchema } from '#lib/messaging/consent/schema.ts';
import {
  ATTRIBUTE_TYPES,
  MAX_ATTRIBUTE_CHARACTERS,
  MAX_ATTRIBUTES,
} from '#lib/messaging/schema/attribute-types.ts';
import { STATUS_FIELDS } from '#lib/variables/task-names.ts';

/** Other outputs of the tasks that give attributes to later ones. */
const RESERVED: readonly string[] = [...STATUS_FIELDS, 'action', 'recipient', '__proto__'];

/** Names of variables, because they are outputs of tasks. */
export const attributeName = z
  .string()
  .max(100, 'At most 100 characters.')
  .regex(/^[A-Za-z0-9_]+$/, 'A name has letters, digits and underscores only.')
  .refine((name) => !RESERVED.includes(name), 'This name is reserved. Choose another one.');

const value = z.union([z.string(), z.number(), z.boolean()]);

export const attributeSchema = z
  .strictObject({
    name: z.string(),
    type: z.enum(ATTRIBUTE_TYPES),
    value: value.meta({
      description:
        '`text`: a text. `number`: a number. `date`: a day, such as 2026-03-31, or an instant, both ISO 8601. `yes_no`: true or false.',
    }),
    at: z.iso.datetime().meta({ description: 'When it was written.' }),
    evidence: evidenceSchema.meta({ description: 'The run, the user or the API key that wrote it.' }),
  })
  .meta({ id: 'CustomerAttribute' });

export const attributesSchema = z
  .strictObject({
    customer_id: z
      .string()
      .nullable()
      .meta({ description: 'Null: nothing but this number or user ID is known of the customer.' }),
    names: z.array(z.string()).meta({ description: 'Their number and user IDs.' }),
    attributes: z.array(attributeSchema).meta({ description: 'By name.' }),
  })
  .meta({ id: 'CustomerAttributes' });

export const newAttributesSchema = z
  .strictObject({
    attributes: z
      .array(
        z.strictObject({
          name: attributeName,
          type: z.enum(ATTRIBUTE_TYPES).default('text'),
          value: z
            .union([
              z.string().max(MAX_ATTRIBUTE_CHARACTERS, `Use at most ${MAX_ATTRIBUTE_CHARACTERS} characters.`),
              z.number(),
              z.boolean(),
              z.null(),
            ])
            .meta({ description: 'Null or empty: the attribute is removed.' }),
        }),
      )
      .min(1, 'Add an attribute.')
      .max(MAX_ATTRIBUTES, `Enter at most ${MAX_ATTRIBUTES} attributes.`)
      .meta({ description: 'Those that change; others stay as they are.' }),
  })
  .meta({ id: 'NewCustomerAttributes' });

export type CustomerAttribute = z.infer<typeof attributeSchema>;
export type CustomerAttributes = z.infer<typeof attributesSchema>;
export type NewAttributes = z.output<typeof newAttributesSchema>;
