import { z } from 'zod';
import { releaseHeld } from '../delivery/held-messages.ts';
import { setTemplateCategory, setTemplateStatus, setUpcomingCategory } from '../delivery/review.ts';
import { BadRequest } from '../http/exchange.ts';
import { type ControlRoutes, readControl } from './control-routes.ts';

const templateSchema = z.strictObject({
  status: z.enum(['APPROVED', 'PENDING', 'REJECTED', 'DISABLED', 'PAUSED']).optional(),
  reason: z.string().default('NONE'),
  category: z.enum(['MARKETING', 'UTILITY', 'AUTHENTICATION']).optional(),
  upcoming_category: z.enum(['MARKETING', 'UTILITY', 'AUTHENTICATION']).optional(),
  pacing: z.enum(['held_for_quality_assessment', 'paused']).nullable().optional(),
});

/** What the platform decides about message templates. */
export const templateRoutes: ControlRoutes = {
  'POST templates/:id': ({ world, id, body }) => {
    const template = world.templates.get(id);
    if (!template) throw new BadRequest(`There is no template with the id ${id}.`, 404);
    const {
      status,
      reason,
      category,
      upcoming_category: upcoming,
      pacing,
    } = readControl(templateSchema, body);
    if ([status, category, upcoming, pacing].every((each) => each === undefined))
      throw new BadRequest('body: one of status, category, upcoming_category, pacing is required');
    if (pacing) template.pacing = pacing;
    if (status !== undefined) setTemplateStatus(world, template, status, reason);
    if (category !== undefined) setTemplateCategory(world, template, category);
    if (upcoming !== undefined) setUpcomingCategory(world, template, upcoming);
    if (pacing === null) {
      delete template.pacing;
      releaseHeld(world, template);
    }
    return template;
  },
};
