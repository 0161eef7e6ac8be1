import * as z from 'zod';
import { CONTROLS_IN_NAME, isPlainName } from '#lib/core/plain-name.ts';
import { AppError } from '#lib/core/errors.ts';
import { emailSchema } from '#lib/identity/members/schema.ts';
import { ALERT_KINDS } from '../kinds.ts';

const MAX_ADDRESSES = 20;

const configSchema = z.discriminatedUnion('channel', [
  z
    .strictObject({
      channel: z.literal('email'),
      owners: z.boolean().default(false).meta({ description: 'All owners of the workspace.' }),
      user_ids: z.array(z.uuid()).max(100).default([]).meta({ description: 'Members, by id.' }),
      addresses: z.array(emailSchema).max(MAX_ADDRESSES).default([]).meta({ description: 'Anybody else.' }),
    })
    .refine(({ owners, user_ids, addresses }) => owners || user_ids.length > 0 || addresses.length > 0, {
      message: 'Add an address or select a member.',
      path: ['addresses'],
    }),
  z.strictObject({
    channel: z.literal('webhook'),
    url: z
      .url({ protocol: /^https?$/, error: 'Enter a URL such as https://example.com/alerts.' })
      .max(2000)
      .refine(
        (url) => !URL.parse(url)?.username && !URL.parse(url)?.password,
        'Remove the name and password.',
      ),
  }),
  z.strictObject({
    channel: z.literal('workflow'),
    workflow_id: z.uuid('Select a workflow.').meta({ description: 'Started with the alert as its payload.' }),
  }),
]);

/** A destination as input. */
export const destinationInputSchema = z.strictObject({
  name: z
    .string()
    .trim()
    .min(1, 'Enter a name.')
    .max(100, 'Use at most 100 characters.')
    .refine(isPlainName, CONTROLS_IN_NAME),
  config: configSchema,
  kinds: z
    .array(z.enum(ALERT_KINDS))
    .max(ALERT_KINDS.length)
    .meta({ description: 'The kinds of alerts that it receives.' }),
  enabled: z.boolean().default(true),
});
export type DestinationInput = z.output<typeof destinationInputSchema>;

/** A destination as output. The one with the workspace's id are its owners, and cannot be deleted. */
export const destinationSchema = z.strictObject({
  id: z.uuid(),
  name: z.string(),
  config: configSchema,
  kinds: z.array(z.enum(ALERT_KINDS)),
  enabled: z.boolean(),
});

export const noSuchDestination = (): AppError =>
  new AppError('not_found', 'This destination of alerts does not exist.');
