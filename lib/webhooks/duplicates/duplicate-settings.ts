// The trigger's settings about copies of a webhook; off by default (docs/webhooks.md, "Duplicates"). Browsers load them, too.
import * as z from 'zod';
import { parseVariableText } from '#lib/variables/parse.ts';
import { headerName } from '../callers/caller-settings.ts';

const PRESETS = {
  idempotency_key: { header: 'idempotency-key' },
  github: { header: 'x-github-delivery' },
  shopify: { header: 'x-shopify-event-id' },
  standard_webhooks: { header: 'webhook-id' },
  stripe: { path: ['id'], ignoredNumber: 'pending_webhooks' },
  // Ids of other events are of conversations, which change; copies of a message may count other unread ones.
  chatwoot: { path: ['id'], onlyWhere: { path: ['event'], is: 'message_created' }, ignoresRest: true },
} as const;
const WAYS = [
  'idempotency_key',
  'stripe',
  'github',
  'shopify',
  'standard_webhooks',
  'chatwoot',
  'header',
  'field',
] as const;
const GROUP = 'Duplicates';

/** Where the key of a request is: a header, in lower case, or a field of the body. */
export type KeySource = (
  | { readonly header: string }
  /** The keys from the body down to the field. */
  | { readonly path: readonly string[] }
) & {
  /** A number that senders count down between copies: bodies that differ only there are the same. */
  readonly ignoredNumber?: string;
  /** Bodies with the same key are the same, whatever else they say. */
  readonly ignoresRest?: boolean;
  /** Requests in which this field has another value have no key. */
  readonly onlyWhere?: { readonly path: readonly string[]; readonly is: string };
};

/** Settings of the trigger's group "Duplicates". */
export const duplicateSettingsShape = {
  deduplicate_by: z
    .enum(['none', ...WAYS])
    .default('none')
    .meta({
      title: 'Same event if it repeats',
      description:
        'A request that repeats the value within 24 hours is a copy: it starts nothing and gets the response of the first. Requests without a value always run.',
      group: GROUP,
      labels: {
        none: 'Nothing: every request runs',
        idempotency_key: 'Header Idempotency-Key',
        stripe: 'Stripe event ID (field id)',
        github: 'GitHub delivery (X-GitHub-Delivery)',
        shopify: 'Shopify event ID (X-Shopify-Event-Id)',
        standard_webhooks: 'Standard Webhooks ID (webhook-id)',
        chatwoot: 'Chatwoot message (field id of message_created)',
        header: 'Another header',
        field: 'A field of the body',
      },
    }),
  deduplicate_header: headerName().meta({
    title: 'Header with the ID',
    description: 'The header that is the same in all copies of an event, and in no other one.',
    group: GROUP,
    placeholder: 'X-Request-Id',
    visibleWhen: { field: 'deduplicate_by', is: ['header'] },
  }),
  deduplicate_field: z
    .string()
    .max(500, 'At most 500 characters.')
    .optional()
    .refine((text) => !text || readPath(text) !== undefined, {
      message: 'Enter the path of a field, such as id, order.id or items[0].id.',
    })
    .meta({
      title: 'Field with the ID',
      description: 'Its path in the body. A text or a number that is the same in all copies of an event.',
      group: GROUP,
      placeholder: 'order.id',
      visibleWhen: { field: 'deduplicate_by', is: ['field'] },
    }),
  duplicate_while_running: z
    .enum(['wait', 'refuse'])
    .default('wait')
    .meta({
      title: 'A copy that arrives before the first has its response',
      group: GROUP,
      labels: { wait: 'Waits for the response of the first', refuse: 'Gets 409 and can be sent again later' },
      visibleWhen: { field: 'deduplicate_by', is: WAYS },
    }),
};

/** As stored: missing settings have their default. */
export type DuplicateSettings = z.input<z.ZodObject<typeof duplicateSettingsShape>>;

/** Where a trigger finds the keys of its requests; undefined: it accepts copies. */
export function keySourceOf({
  deduplicate_by: way = 'none',
  deduplicate_header: header,
  deduplicate_field: field,
}: DuplicateSettings): KeySource | undefined {
  if (way === 'none') return undefined;
  if (way === 'header') return header ? { header: header.toLowerCase() } : undefined;
  if (way !== 'field') return PRESETS[way];
  const path = readPath(field ?? '');
  return path && { path };
}

/** Settings that the selected way still needs, by path. */
export function listMissingForKey({
  deduplicate_by: way,
  deduplicate_header: header,
  deduplicate_field: field,
}: DuplicateSettings): { path: string; message: string }[] {
  if (way === 'header' && !header)
    return [{ path: 'deduplicate_header', message: 'Enter the name of the header.' }];
  if (way === 'field' && !field?.trim())
    return [{ path: 'deduplicate_field', message: 'Enter the path of the field.' }];
  return [];
}

/** The keys of a path as variables spell it, also between its braces; undefined for anything else. */
function readPath(text: string): readonly string[] | undefined {
  const path = text
    .trim()
    .replace(/^\{\{(.*)\}\}$/s, '$1')
    .trim();
  try {
    const { nodes } = parseVariableText(`{{${path}}}`);
    const expression = nodes.length === 1 && nodes[0]?.kind === 'output' ? nodes[0].expression : undefined;
    if (expression?.kind !== 'path' || expression.depth > 0 || expression.fromRoot) return undefined;
    return expression.segments.length > 0 ? expression.segments : undefined;
  } catch {
    return undefined;
  }
}
