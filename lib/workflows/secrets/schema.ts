import * as z from 'zod';
import { hasNoNul, NUL_IN_TEXT } from '#lib/core/plain-name.ts';
import { readAllowedHost } from '#lib/secrets/named-secret.ts';
import { MIN_CHARACTERS } from '#lib/secrets/redact.ts';

const MAX_NAME_CHARACTERS = 64;
const MAX_VALUE_CHARACTERS = 16_384;

/** As in `{{secret.name}}`. */
const secretNameSchema = z
  .string()
  .max(MAX_NAME_CHARACTERS, `At most ${MAX_NAME_CHARACTERS} characters.`)
  .regex(/^[a-z][a-z0-9_]*$/, 'Use lowercase letters, digits and underscores, and start with a letter.')
  .meta({ description: 'Tasks use the secret as `{{secret.<name>}}`.' });

const MAX_HOSTS = 50;

const allowedHostsSchema = z
  .array(
    z
      .string()
      .max(300, 'At most 300 characters.')
      .refine(
        (host) => readAllowedHost(host) !== undefined,
        'Enter a host without scheme, path and wildcard, such as api.example.com or api.example.com:8443.',
      )
      .transform((host) => readAllowedHost(host) ?? host),
  )
  .max(MAX_HOSTS, `At most ${MAX_HOSTS} hosts.`)
  .meta({
    description:
      'The hosts that the secret may be sent to. Empty: any host that is written as text in the URL. Left out: those that it has stay.',
    examples: [['api.example.com']],
  });

export const secretValueSchema = z.strictObject({
  value: z
    .string()
    .trim()
    .min(
      MIN_CHARACTERS,
      `Enter at least ${MIN_CHARACTERS} characters: shorter values cannot be hidden in responses.`,
    )
    .max(MAX_VALUE_CHARACTERS, 'At most 16,384 characters.')
    .refine(hasNoNul, NUL_IN_TEXT)
    .meta({ description: 'Stored encrypted. It is in no answer.' }),
  allowed_hosts: allowedHostsSchema.optional(),
});

export const secretInputSchema = z.strictObject({ name: secretNameSchema, ...secretValueSchema.shape });

/** A credential of a task's settings, in plain text or as a placeholder. */
export const moveToSecretSchema = z.strictObject({
  name: secretNameSchema,
  value: z.string().max(MAX_VALUE_CHARACTERS, 'At most 16,384 characters.'),
});

/** A secret without its value. */
export const secretSchema = z
  .strictObject({
    name: z.string(),
    allowed_hosts: z.array(z.string()).meta({
      description:
        'The hosts that it may be sent to; empty: any host that is written as text in the URL of a task.',
    }),
    created_at: z.string(),
    set_at: z.string().meta({ description: 'When its present value was set.' }),
    set_by: z.string().meta({ description: 'Who set it: an email address or an API key.' }),
    used_by: z
      .array(z.strictObject({ id: z.string(), name: z.string() }))
      .meta({ description: 'The workflows whose draft or published version uses it.' }),
  })
  .meta({ id: 'Secret' });

export type SecretInput = z.output<typeof secretInputSchema>;
export type Secret = z.infer<typeof secretSchema>;
