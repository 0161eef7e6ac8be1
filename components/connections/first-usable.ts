import type { PickerOption } from '#lib/screens/editor-types.ts';

/** Numbers and connections that are in order come first; what cannot be used is chosen by nobody else. */
export const firstUsable = (options: readonly PickerOption[] | undefined): PickerOption | undefined =>
  options?.find(({ badge }) => badge?.tone === 'success') ??
  options?.find(({ badge }) => badge?.tone !== 'danger') ??
  options?.[0];
