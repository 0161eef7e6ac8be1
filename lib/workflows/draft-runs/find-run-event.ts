import { events } from '#lib/engine/schema/runs.ts';
import { AppError } from '#lib/core/errors.ts';
import { newId } from '#lib/core/ids.ts';
import { JsonSyntaxError } from '#lib/core/json/json-syntax-error.ts';
import { parseJson } from '#lib/core/json/parse-json.ts';
import { isJsonObject } from '#lib/core/json/value.ts';
import { getEvent } from '#lib/events/get-event.ts';
import type { Context, Transaction } from '#lib/identity/context.ts';

/** An event that a draft can run with. @throws AppError `not_found`; `invalid_request` */
export async function findRunEvent(
  ctx: Context,
  workflowId: string,
  eventId: string | undefined,
): Promise<string> {
  if (eventId === undefined)
    throw new AppError('invalid_request', 'Select an event, or enter a sample to run the draft with.');
  const event = await getEvent(ctx, { id: eventId });
  if (event.workflow_id !== workflowId) throw new AppError('not_found', 'This workflow has no such event.');
  if (event.outcome === 'rejected' || event.body_format !== 'json')
    throw new AppError('invalid_request', 'The body of this event cannot be used. Select another event.');
  return event.id;
}

/**
 * Saves the user's sample as an event of the test URL, so that it can be selected again.
 * @throws AppError `invalid_request`
 */
export async function saveSample(
  tx: Transaction,
  { workspaceId, workflowId, text }: { workspaceId: string; workflowId: string; text: string },
): Promise<string> {
  assertSample(text);
  const id = newId();
  await tx.insert(events).values({
    id,
    workspaceId,
    workflowId,
    kind: 'test',
    outcome: 'tested',
    receivedAt: new Date(),
    headers: { 'content-type': 'application/json' },
    body: Buffer.from(text),
  });
  return id;
}

function assertSample(text: string): void {
  try {
    if (isJsonObject(parseJson(text))) return;
  } catch (error) {
    if (!(error instanceof JsonSyntaxError)) throw error;
    throw invalid(`The sample is not valid JSON: ${error.message}`);
  }
  throw invalid('The sample must be a JSON object, such as {"phone": "4915112345678"}.');
}

const invalid = (message: string): AppError =>
  new AppError('invalid_request', message, { problems: [{ path: 'body', message }] });
