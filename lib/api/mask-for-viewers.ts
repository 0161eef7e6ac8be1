// Masks responses for keys with the scope `read`, as screens do for viewers: no customers' numbers in full, no usable
// approval link, no webhook URL.
import type { Run, TaskRunView } from '#lib/runs/schema.ts';
import { maskWithin } from '#lib/screens/run-mask.ts';
import { hideToken } from '#lib/webhooks/webhook-path.ts';
import type { Workflow } from '#lib/workflows/schema.ts';
import type { Variables } from './schemas.ts';

type Clean = (text: string) => string;

export const maskWorkflow = (workflow: Workflow): Workflow => ({
  ...workflow,
  webhook: {
    token: hideToken(`/${workflow.webhook.token}`).slice(1),
    production_url: hideToken(workflow.webhook.production_url),
    test_url: hideToken(workflow.webhook.test_url),
  },
});

export const maskRun = (run: Run, clean: Clean): Run => ({
  ...run,
  error: maskWithin(run.error, clean),
  customer: maskWithin(run.customer, clean),
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
