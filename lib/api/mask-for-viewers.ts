// Masks responses for keys with the scope `read`, as screens do for viewers: no customers' numbers in full, no usable
// approval link, no webhook URL.
import { isJsonObject, type JsonValue, NumberLiteral } from '#lib/core/json/value.ts';
import type { Event } from '#lib/events/schema.ts';
import type { Run, RunSummary, TaskRunView } from '#lib/runs/schema.ts';
import { hideToken } from '#lib/webhooks/webhook-path.ts';
import type { Workflow } from '#lib/workflows/schema.ts';
import type { Variables } from './schemas.ts';

type Clean = (text: string) => string;

/** Cleans texts, keys and numbers; a number that is masked becomes a text. */
function maskJson(value: JsonValue, clean: Clean): JsonValue {
  if (typeof value === 'string') return clean(value);
  if (typeof value === 'number' || value instanceof NumberLiteral) {
    const text = clean(String(value));
    return text === String(value) ? value : text;
  }
  if (Array.isArray(value)) return value.map((item) => maskJson(item, clean));
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [clean(key), maskJson(item, clean)]));
}

/** Of a value that keeps its type. */
const maskWithin = <Value>(value: Value, clean: Clean): Value =>
  maskJson(value as JsonValue, clean) as unknown as Value;

export const maskWorkflow = (workflow: Workflow): Workflow => ({
  ...workflow,
  webhook: {
    token: hideToken(`/${workflow.webhook.token}`).slice(1),
    production_url: hideToken(workflow.webhook.production_url),
    test_url: hideToken(workflow.webhook.test_url),
  },
});

/** A number cannot be masked in base64: such a body is shown as text where it is one. */
export const maskEvent = ({ body_base64: base64, ...event }: Event, clean: Clean): Event => ({
  ...event,
  headers: maskWithin(event.headers, clean),
  ...(base64 === undefined
    ? { body: maskWithin(event.body, clean) }
    : { body_format: 'text', body: clean(Buffer.from(base64, 'base64').toString('utf8')) }),
});

export const maskRunSummary = (run: RunSummary, clean: Clean): RunSummary => ({
  ...run,
  error: maskWithin(run.error, clean),
});

export const maskRun = (run: Run, clean: Clean): Run => ({
  ...run,
  error: maskWithin(run.error, clean),
  messages: run.messages.map((message) => maskWithin(message, clean)),
  tasks: run.tasks.map((task): TaskRunView => ({
    ...task,
    run_text: maskWithin(task.run_text, clean),
    captured: maskWithin(task.captured, clean),
    output: maskWithin(task.output, clean),
    error: maskWithin(task.error, clean),
    attempts: task.attempts.map((attempt) => ({ ...attempt, error: maskWithin(attempt.error, clean) })),
  })),
});

/** Samples of events are only for editors, as in the editor. */
export const maskVariables = ({ data }: Variables): Variables => ({
  data: data.map((variable) => ({ ...variable, sample: null })),
  sample_event_id: null,
});

/** Every row of a page. */
export const maskRows =
  <Row>(mask: (row: Row, clean: Clean) => Row) =>
  <Page extends { data: Row[] }>(page: Page, clean: Clean): Page => ({
    ...page,
    data: page.data.map((row) => mask(row, clean)),
  });
