import type { ListenAnswer } from '#components/canvas/editor-actions.ts';
import type { Sample } from '#lib/canvas/sample-types.ts';

/** The newest events of a workflow. */
export const fetchEvents = (workflowId: string, signal?: AbortSignal): Promise<ListenAnswer> =>
  fetchJson(`/workflows/${workflowId}/events`, signal);

/** One event as a sample. @throws Error that says why it is none */
export const fetchSample = (workflowId: string, eventId: string, signal?: AbortSignal): Promise<Sample> =>
  fetchJson(`/workflows/${workflowId}/sample?event=${encodeURIComponent(eventId)}`, signal);

async function fetchJson<Answer>(url: string, signal: AbortSignal | undefined): Promise<Answer> {
  const response = await fetch(url, signal ? { signal } : {});
  const body = (await response.json().catch(() => undefined)) as unknown;
  if (response.ok) return body as Answer;
  const message = (body as { error?: { message?: string } } | undefined)?.error?.message;
  throw new Error(message ?? 'The server did not answer as it should: try again.');
}
