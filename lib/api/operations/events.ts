import * as z from 'zod';
import { getEvent, searchEvents } from '#lib/events/read-events.ts';
import { replayEvent } from '#lib/events/replay-event.ts';
import { previewReplay, replayMatching } from '#lib/events/replay/replay-matching.ts';
import {
  replayFilterSchema,
  replayMatchingSchema,
  replayPreviewSchema,
  replayResultSchema,
} from '#lib/events/replay/schema.ts';
import { EVENT_OUTCOMES } from '#lib/engine/event-types.ts';
import { eventSchema, eventSummarySchema, replayEventSchema } from '#lib/events/schema.ts';
import { idFilter, pageOf, searchQuerySchema, toPage } from '#lib/api/schemas.ts';
import { maskEvent } from '#lib/screens/run-mask.ts';
import { defineOperation, toSearch } from '../operation.ts';

const tag = 'Events';

const toFilter = ({
  workflow_id,
  outcome,
  received_from,
  received_to,
}: z.output<typeof replayFilterSchema>) => ({
  workflow_id,
  outcome,
  fromMs: received_from === undefined ? undefined : Date.parse(received_from),
  toMs: received_to === undefined ? undefined : Date.parse(received_to),
  hidesNumbers: false,
});

export const EVENT_OPERATIONS = [
  defineOperation({
    method: 'GET',
    path: '/events',
    id: 'listEvents',
    tag,
    scope: 'read',
    summary: 'List events, newest first, without their headers and bodies.',
    query: searchQuerySchema.extend({
      workflow_id: idFilter.optional(),
      outcome: z.enum(EVENT_OUTCOMES).optional(),
    }),
    response: pageOf(eventSummarySchema),
    handle: async (ctx, { query }) => toPage(await searchEvents(ctx, toSearch(ctx, query))),
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
    path: '/events/replay/preview',
    id: 'previewReplay',
    tag,
    scope: 'run',
    summary:
      'Count what replayMatching would do: events, messages and people. Tests, delivery receipts and events that already ran are left out.',
    body: replayFilterSchema,
    isBodyOptional: true,
    response: replayPreviewSchema,
    handle: async (ctx, { body }) => (await previewReplay(ctx, toFilter(body))).preview,
  }),
  defineOperation({
    method: 'POST',
    path: '/events/replay',
    id: 'replayMatching',
    tag,
    scope: 'run',
    summary:
      'Replay matching events that never ran, the oldest first. Call previewReplay before: messages and requests are sent.',
    body: replayMatchingSchema,
    isBodyOptional: true,
    response: replayResultSchema,
    handle: (ctx, { body: { limit, ...filter } }) => replayMatching(ctx, { ...toFilter(filter), limit }),
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
