import type { Clock } from './clock.ts';
import { listLiveTemplates } from './data/live-templates.ts';
import type { Template } from './model.ts';
import { isStrict, type Settings } from './settings.ts';

/** Changes settings, and adds the templates of strict mode when it is enabled. */
export function changeSettings(
  world: { settings: Settings; clock: Clock; templates: Map<string, Template> },
  changes: Partial<Settings>,
): void {
  world.settings = { ...world.settings, ...changes };
  if (!isStrict(world)) return;
  for (const template of listLiveTemplates(world.clock.nowMs()))
    if (!world.templates.has(template.id)) world.templates.set(template.id, template);
}
