'use server';
import { revalidatePath } from 'next/cache';
import { action } from '#lib/identity/auth/authorized-action.ts';
import { setRetention } from '#lib/identity/workspaces/retention.ts';
import { retentionSchema } from '#lib/identity/workspaces/schema.ts';
import { previewRetention } from '#lib/workflows/retention/read-stored.ts';

export const saveRetention = action('owner', retentionSchema, async (ctx, input) => {
  const saved = await setRetention(ctx, input);
  revalidatePath('/settings/retention');
  return saved;
});

/** What a retention would delete now, before it is saved. */
export const previewDeletions = action('owner', retentionSchema, (ctx, input) =>
  previewRetention(ctx, input),
);
