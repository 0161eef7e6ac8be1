import type { PickerOption } from '#lib/screens/editor-types.ts';

/** The first healthy option; an unusable one is never selected automatically. */
export const firstUsable = (options: readonly PickerOption[] | undefined): PickerOption | undefined =>
  options?.find(({ badge }) => badge?.tone === 'success') ??
  options?.find(({ badge }) => badge?.tone !== 'danger') ??
  options?.[0];
