// Messages that were accepted as held_for_quality_assessment: they stay accepted until the assessment of their template ends.
import { GraphError } from '../graph-error.ts';
import type { Template } from '../model.ts';
import type { World } from '../world.ts';
import { followStatuses } from './statuses.ts';

/** Lets the held messages of a template go out, or fail (132015) if it is paused or disabled now. */
export function releaseHeld(world: World, template: Template): void {
  const failure =
    template.status === 'APPROVED'
      ? null
      : new GraphError(132015, `Template (${template.name}) is paused due to low quality.`);
  for (const message of world.messages.values()) {
    if (message.heldFor !== template.id) continue;
    delete message.heldFor;
    followStatuses(world, message, failure);
  }
}
