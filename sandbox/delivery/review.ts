import type { Template, TemplateStatus } from '../model.ts';
import type { World } from '../world.ts';
import { notifyTemplate } from './notifications.ts';

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
}
