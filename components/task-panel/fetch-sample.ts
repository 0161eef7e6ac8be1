import { fetchJson } from '#components/live/fetch-json.ts';
import type { ListenAnswer } from '#components/editor/editor-actions.ts';
import type { Sample } from '#lib/editor/canvas/sample-types.ts';

/** The newest events of a workflow. */
export const fetchEvents = (workflowId: string, signal?: AbortSignal): Promise<ListenAnswer> =>
  fetchJson(`/workflows/${workflowId}/events`, signal);

/** One event as a sample. @throws Error with the reason when it is none */
export const fetchSample = (workflowId: string, eventId: string, signal?: AbortSignal): Promise<Sample> =>
  fetchJson(`/workflows/${workflowId}/sample?event=${encodeURIComponent(eventId)}`, signal);
