import * as z from 'zod';

export const apiKeyInputSchema = z.strictObject({
  name: z
    .string()
    .trim()
    .min(1)
    .max(200)
    .refine((name) => !name.includes('\0'), 'Remove the character U+0000.')
    .meta({ description: 'What the key is for.' }),
});

export const apiKeySchema = z
  .strictObject({
    id: z.string(),
    name: z.string(),
    prefix: z.string().meta({ description: 'The first characters of the key.' }),
    created_at: z.string(),
    last_used_at: z.string().nullable().meta({ description: 'To the minute.' }),
  })
  .meta({ id: 'ApiKey' });

export const newApiKeySchema = z
  .strictObject({ ...apiKeySchema.shape, key: z.string().meta({ description: 'Shown only once.' }) })
  .meta({ id: 'NewApiKey' });

export type ApiKeyInput = z.output<typeof apiKeyInputSchema>;
export type ApiKey = z.infer<typeof apiKeySchema>;
export type NewApiKey = z.infer<typeof newApiKeySchema>;
