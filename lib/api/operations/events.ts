import * as z from 'zod';
import { getEvent } from '#lib/events/get-event.ts';
import { listEvents } from '#lib/events/list-events.ts';
import { replayEvent } from '#lib/events/replay-event.ts';
import { EVENT_OUTCOMES } from '#lib/engine/event-types.ts';
import { eventSchema, eventSummarySchema, replayEventSchema } from '#lib/events/schema.ts';
import { idFilter } from '../id-schema.ts';
import { maskEvent } from '../mask-for-viewers.ts';
import { defineOperation } from '../operation.ts';
import { pageOf, pageQuerySchema } from '../page-schema.ts';

const tag = 'Events';

export const EVENT_OPERATIONS = [
  defineOperation({
    method: 'GET',
    path: '/events',
    id: 'listEvents',
    tag,
    scope: 'read',
    summary: 'List events, newest first, without their headers and bodies.',
    query: pageQuerySchema.extend({
      workflow_id: idFilter.optional(),
      outcome: z.enum(EVENT_OUTCOMES).optional(),
    }),
    response: pageOf(eventSummarySchema),
    handle: (ctx, { query }) => listEvents(ctx, query),
  }),
  defineOperation({
    method: 'GET',
    path: '/events/{id}',
    id: 'getEvent',
    tag,
    scope: 'read',
    summary: 'Get an event with its headers and body.',
    response: eventSchema,
    maskForViewers: maskEvent,
    handle: (ctx, { params }) => getEvent(ctx, params),
  }),
  defineOperation({
    method: 'POST',
    path: '/events/{id}/replay',
    id: 'replayEvent',
    tag,
    scope: 'run',
    summary:
      'Run the published version for an event, including test events. Returns the new production event. An event that already ran is refused unless repeat is true.',
    body: replayEventSchema,
    isBodyOptional: true,
    status: 201,
    response: eventSchema,
    errors: ['invalid_request', 'workflow_not_active', 'conflict'],
    handle: (ctx, { params, body }) => replayEvent(ctx, { ...body, id: params.id }),
  }),
];
