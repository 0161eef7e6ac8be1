import { extname } from 'node:path';
import type { ProcessRuntime } from '#lib/core/process-runtime.ts';
import type * as FormPartsModule from './form-parts.ts';
import type { LoadFormParts } from '#lib/webhooks/forms/form-files.ts';

/** Loads the code for multipart forms when the first one arrives: a separate bundle, so that the others do not contain it. */
export function createFormPartsLoader(runtime: ProcessRuntime): LoadFormParts {
  const url = new URL(`form-parts${extname(import.meta.filename)}`, import.meta.url).href;
  return () =>
    runtime.once('form-parts', async () => {
      const { openFormParts } = (await import(url)) as typeof FormPartsModule;
      return openFormParts(runtime);
    });
}
