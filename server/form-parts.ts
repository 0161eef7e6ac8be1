// Reads multipart forms and stores their files; loaded by a web process when the first such form arrives.
import type { ProcessRuntime } from '#lib/core/process-runtime.ts';
import { createFormFileStore } from '#lib/messaging/media/form-file-store.ts';
import { mediaSettingsOf } from '#lib/messaging/media/media-store.ts';
import type { FormParts } from '#lib/webhooks/forms/form-files.ts';
import { readMultipart } from '#lib/webhooks/forms/read-multipart.ts';

/** @throws Error when ENCRYPTION_KEYS is missing or wrong: links are sealed with them */
export const openFormParts = ({ settings, secrets, baseUrl, logger }: ProcessRuntime): FormParts => ({
  readMultipart,
  store: createFormFileStore({ media: mediaSettingsOf(settings), secrets, baseUrl, logger }),
});
