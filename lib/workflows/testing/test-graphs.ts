// Graphs for workflows in tests.
import { newWorkflowSchema, type NewWorkflow } from '#lib/workflows/schema.ts';

/** A workflow of a trigger, task 1, and further tasks, as in a request. */
export function drawing(
  tasks: unknown[] = [],
  edges: unknown[] = [],
  trigger: Record<string, unknown> = {},
): NewWorkflow {
  return newWorkflowSchema.parse({
    name: 'Orders',
    tasks: [{ id: 1, type: 'inbound_webhook', settings: trigger }, ...tasks],
    edges,
  });
}

/** A trigger and an HTTP request after it, task 2. */
export const callingGraph = (trigger: Record<string, unknown> = {}): NewWorkflow =>
  drawing(
    [{ id: 2, type: 'http_request', settings: { url: 'https://example.com/' } }],
    [{ from: 1, to: 2 }],
    trigger,
  );
