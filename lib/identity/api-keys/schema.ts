import * as z from 'zod';
import { CONTROLS_IN_NAME, isPlainName } from '#lib/core/plain-name.ts';
import { KEY_SCOPES, SCOPE_DESCRIPTIONS } from './scopes.ts';

const scopeSchema = z.enum(KEY_SCOPES).meta({
  description: KEY_SCOPES.map((scope) => `${scope}: ${SCOPE_DESCRIPTIONS[scope]}`).join(' '),
});

const expiresAtSchema = z.iso.datetime({ offset: true, error: 'Enter a date and time in ISO 8601.' });

export const apiKeyInputSchema = z.strictObject({
  name: z
    .string()
    .trim()
    .min(1)
    .max(200)
    .refine(isPlainName, CONTROLS_IN_NAME)
    .meta({ description: 'What the key is for.' }),
  scope: scopeSchema.default('edit'),
  expires_at: expiresAtSchema.nullable().optional().meta({
    description:
      'When it stops working; null: never. Left out: never, or when the key expires that creates it.',
  }),
});

const instant = z.string().nullable();

export const apiKeySchema = z
  .strictObject({
    id: z.string(),
    name: z.string(),
    prefix: z.string().meta({ description: 'The first characters of the key.' }),
    scope: scopeSchema,
    effective_scope: z.enum(KEY_SCOPES).nullable().meta({
      description:
        'What it may do now: never more than the member who created it. Null: it has expired, or that member has left the workspace.',
    }),
    created_at: z.string(),
    created_by: z.string().nullable().meta({
      description: 'The email address of the member who created it; null if it was no member.',
    }),
    expires_at: instant.meta({ description: 'Null: never.' }),
    last_used_at: instant.meta({ description: 'To the minute.' }),
  })
  .meta({ id: 'ApiKey' });

export const newApiKeySchema = z
  .strictObject({ ...apiKeySchema.shape, key: z.string().meta({ description: 'Shown only once.' }) })
  .meta({ id: 'NewApiKey' });

export const currentKeySchema = z
  .strictObject({
    id: z.string().nullable().meta({ description: 'Null for the key that `PATCHBAY_API_KEY` sets.' }),
    workspace_id: z.string(),
    scope: scopeSchema,
    effective_scope: z
      .enum(KEY_SCOPES)
      .meta({ description: 'What it may do now: never more than the member who created it.' }),
    expires_at: instant.meta({ description: 'Null: never.' }),
  })
  .meta({ id: 'CurrentApiKey' });

export type ApiKeyInput = z.input<typeof apiKeyInputSchema>;
export type ApiKey = z.infer<typeof apiKeySchema>;
export type NewApiKey = z.infer<typeof newApiKeySchema>;
