import * as z from 'zod';
import type { CompiledGraph } from '#lib/engine/graph.ts';
import type { Escape } from '#lib/variables/escape.ts';
import { callerSettingsShape, listMissingForCheck } from './callers/caller-settings.ts';
import {
  duplicateSettingsShape,
  type KeySource,
  keySourceOf,
  listMissingForKey,
} from './duplicates/duplicate-settings.ts';

// The format of a response body; browsers use it, too, for previews.

export type ResponseFormat = 'json' | 'xml' | 'text';

/** Detects the format from the start of a text (docs/webhooks.md). */
export function formatOf(text: string): ResponseFormat {
  const start = text.trimStart();
  if (start.startsWith('<')) return 'xml';
  const opensObject = start.startsWith('{') && !start.startsWith('{{');
  return opensObject || start.startsWith('[') ? 'json' : 'text';
}

/** How variables are escaped in the response body of a trigger's settings (possibly a draft's). */
export function escapeOfResponse({
  response_format: format = 'auto',
  response_body: body,
}: {
  response_format?: unknown;
  response_body?: unknown;
}): Escape {
  const chosen = format === 'auto' && typeof body === 'string' ? formatOf(body) : format;
  if (chosen === 'xml' || chosen === 'text') return chosen === 'xml' ? 'xml' : 'none';
  return 'json';
}

const MAX_QUIET_SECONDS = 3600;
const DEFAULT_BODY = '{"status":"received"}';
const bodyTypes = ['immediate', 'after_workflow'] as const;

/** Settings of the trigger task (spec: "Trigger task settings"; docs/webhooks.md). */
export const triggerSettingsSchema = z.strictObject({
  response_type: z
    .enum(['immediate', 'redirect', 'after_workflow'])
    .default('immediate')
    .meta({
      title: 'Response type',
      description: 'How to respond to the caller.',
      labels: {
        immediate: 'Respond Immediately with Custom Response',
        redirect: 'Redirect to URL',
        after_workflow: 'Respond After Workflow Completes',
      },
    }),
  response_body: z
    .string()
    .max(65_536)
    .default(DEFAULT_BODY)
    .meta({
      title: 'Custom response body',
      description: 'JSON, XML or plain text. Can contain variables.',
      variables: true,
      escape: escapeOfResponse,
      widget: 'code',
      visibleWhen: { field: 'response_type', is: bodyTypes },
    }),
  response_format: z
    .enum(['auto', 'json', 'xml', 'text'])
    .default('auto')
    .meta({
      title: 'Response format',
      description:
        'Automatic: JSON when the body starts with { or [, XML when it starts with <, else plain text.',
      labels: { auto: 'Automatic', json: 'JSON', xml: 'XML', text: 'Plain text' },
      visibleWhen: { field: 'response_type', is: bodyTypes },
    }),
  redirect_url: z
    .string()
    .max(8192)
    .default('')
    .meta({
      title: 'Redirect URL',
      description: 'The URL to redirect the caller to. Can contain variables.',
      variables: true,
      escape: 'url',
      widget: 'url',
      placeholder: 'https://example.com/thanks?name={{name}}',
      visibleWhen: { field: 'response_type', is: ['redirect'] },
    }),
  ...callerSettingsShape,
  ...duplicateSettingsShape,
  order_by: z.string().max(1000, 'At most 1,000 characters.').optional().meta({
    title: 'Run in order by',
    description:
      'Runs with the same value, such as the same order number, run one at a time, in the order in which they arrived. A run that waits, for an answer or a delay, keeps its place, and the runs behind it wait, too. Requests without a value run at once.',
    group: 'Order',
    variables: true,
    placeholder: '{{order.number}}',
  }),
  quiet_seconds: z
    .int('Enter a whole number of seconds.')
    .min(1, 'At least 1 second.')
    .max(MAX_QUIET_SECONDS, 'At most 3,600 seconds (an hour).')
    .optional()
    .meta({
      title: 'Wait for quiet, in seconds',
      description:
        'Webhooks that follow each other within this time become one run, which starts when none has arrived for this long, at the latest after ten times as long or 100 webhooks. Its fields are those of the last one; the variable WEBHOOKS of this task lists all of them. Empty: each webhook starts a run.',
      group: 'Bursts',
      widget: 'number',
    }),
  quiet_by: z.string().max(1000, 'At most 1,000 characters.').optional().meta({
    title: 'Collect by',
    description:
      'Only webhooks with the same value, such as the same order number, become one run. Requests without a value start a run at once. Empty: all webhooks of the workflow are collected together.',
    group: 'Bursts',
    variables: true,
    placeholder: '{{order.number}}',
  }),
  search_by: z.string().max(1000, 'At most 1,000 characters.').optional().meta({
    title: 'Find by',
    description:
      'The events and runs of a request are found by this value at once, whatever their age: enter it in the search of Runs or Events. Other texts are searched from the newest event on.',
    group: 'Search',
    variables: true,
    placeholder: '{{order.number}}',
  }),
});

/** Refuses settings that lack what others of them need. */
export function checkTriggerSettings(
  settings: z.output<typeof triggerSettingsSchema>,
  context: z.RefinementCtx,
): void {
  if (settings.response_type === 'redirect' && settings.redirect_url.trim() === '')
    context.addIssue({ code: 'custom', path: ['redirect_url'], message: 'Enter a redirect URL.' });
  if (settings.quiet_by?.trim() && settings.quiet_seconds === undefined)
    context.addIssue({ code: 'custom', path: ['quiet_seconds'], message: 'Enter the seconds to wait for.' });
  for (const { path, message } of [...listMissingForCheck(settings), ...listMissingForKey(settings)])
    context.addIssue({ code: 'custom', path: [path], message });
}

const { response_type, response_format, deduplicate_by, duplicate_while_running } =
  triggerSettingsSchema.shape;

/** As stored in a published version, which keeps working whatever rules are added later: so nothing is refused here. */
export const storedTriggerSettingsSchema = z.object({
  response_type: response_type.catch('immediate'),
  response_body: z.string().catch(DEFAULT_BODY),
  response_format: response_format.catch('auto'),
  redirect_url: z.string().catch(''),
  deduplicate_by: deduplicate_by.catch('none'),
  deduplicate_header: z.string().optional().catch(undefined),
  deduplicate_field: z.string().optional().catch(undefined),
  duplicate_while_running: duplicate_while_running.catch('wait'),
  order_by: z.string().optional().catch(undefined),
  quiet_seconds: z.number().positive().max(MAX_QUIET_SECONDS).optional().catch(undefined),
  quiet_by: z.string().optional().catch(undefined),
  search_by: z.string().optional().catch(undefined),
});

/** Settings of the response, of duplicates, of the order, of bursts and of the search; those about callers are read by callers/find-caller-rules.ts. */
export type TriggerSettings = z.output<typeof storedTriggerSettingsSchema>;

export interface Trigger {
  taskId: number;
  settings: TriggerSettings;
  /** Where the keys of its requests are; left out: copies run, too. */
  keySource?: KeySource | undefined;
}

const triggers = new WeakMap<CompiledGraph, Trigger>();

/** A graph's trigger; its settings are parsed once. */
export function triggerOf(graph: CompiledGraph): Trigger {
  let trigger = triggers.get(graph);
  if (!trigger) {
    const settings = storedTriggerSettingsSchema.parse(graph.trigger.task.settings);
    trigger = { taskId: graph.triggerId, settings, keySource: keySourceOf(settings) };
    triggers.set(graph, trigger);
  }
  return trigger;
}
