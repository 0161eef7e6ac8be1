import type * as z from 'zod';
import { listMissingForCheck } from './callers/caller-settings.ts';
import { listMissingForKey } from './duplicates/duplicate-settings.ts';
import type { triggerSettingsSchema } from './trigger-settings.ts';

/** Refuses settings that lack what others of them need. */
export function checkTriggerSettings(
  settings: z.output<typeof triggerSettingsSchema>,
  context: z.RefinementCtx,
): void {
  if (settings.response_type === 'redirect' && settings.redirect_url.trim() === '')
    context.addIssue({ code: 'custom', path: ['redirect_url'], message: 'Enter a redirect URL.' });
  for (const { path, message } of [...listMissingForCheck(settings), ...listMissingForKey(settings)])
    context.addIssue({ code: 'custom', path: [path], message });
}
