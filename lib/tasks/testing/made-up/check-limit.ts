import type { Problem } from '#lib/core/errors.ts';

export const checkLimit = (settings: unknown): Problem[] =>
  (settings as { long_from?: number }).long_from === 0
    ? [{ path: 'settings.long_from', message: 'Every text is long then.' }]
    : [];
