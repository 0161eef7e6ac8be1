import type { World } from './world.ts';

/**
 * Whether the sandbox refuses what the real platform refuses beyond the spec (README, Strict). The one place that reads the
 * setting: everything that depends on it asks here.
 */
export const isStrict = ({ settings }: Pick<World, 'settings'>): boolean => settings.strict;
