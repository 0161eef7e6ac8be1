import { GraphError } from '../graph-error.ts';
import type { Template, TemplateCategory, TemplateStatus } from '../model.ts';
import type { World } from '../world.ts';
import { notifyCategory, notifyTemplate, notifyUpcomingCategory } from './notifications.ts';
import { followStatuses } from './statuses.ts';

/** Review by rule, after the delay of the settings: a name containing `reject` is rejected, all others approved. */
export function scheduleReview(world: World, template: Template): void {
  world.timers.after(world.settings.template_review_ms, () => {
    if (template.status !== 'PENDING') return;
    if (template.name.includes('reject')) setTemplateStatus(world, template, 'REJECTED', 'INVALID_FORMAT');
    else setTemplateStatus(world, template, 'APPROVED');
  });
}

/** Sets a status and notifies. */
export function setTemplateStatus(
  world: World,
  template: Template,
  status: TemplateStatus,
  reason = 'NONE',
): void {
  template.status = status;
  template.rejectedReason = reason;
  template.updatedAt = world.clock.nowMs();
  notifyTemplate(world, template);
  releaseHeld(world, template);
}

/** The platform changes the category of a template, and notifies. */
export function setTemplateCategory(world: World, template: Template, category: TemplateCategory): void {
  if (template.category === category) return;
  template.previousCategory = template.category;
  template.category = category;
  delete template.correctCategory;
  template.updatedAt = world.clock.nowMs();
  notifyCategory(world, template);
}

/** The platform will change its category tomorrow, and notifies. */
export function setUpcomingCategory(world: World, template: Template, category: TemplateCategory): void {
  template.correctCategory = category;
  template.updatedAt = world.clock.nowMs();
  notifyUpcomingCategory(world, template);
}

// Messages that were accepted as held_for_quality_assessment: they stay accepted until the assessment of their template ends.

/** Sends the held messages of a template, or lets them fail (132015) if it is paused or disabled. */
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
