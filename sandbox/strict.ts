import type { Settings } from './settings.ts';

/**
 * Whether the sandbox refuses what the real platform refuses beyond the spec (README, Strict). The one place that reads the
 * setting: everything that depends on it asks here.
 */
export const isStrict = ({ settings }: { settings: Pick<Settings, 'strict'> }): boolean => settings.strict;
