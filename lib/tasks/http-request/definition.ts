import * as z from 'zod';
import { isOwnHeader } from '#lib/core/http/own-headers.ts';
import { hasVariables, isMissing, variableText } from '#lib/tasks/setting-values.ts';
import type { TaskDefinition } from '#lib/tasks/task-definition.ts';
import type { TaskExample } from '#lib/tasks/task-example.ts';
import type { Escape } from '#lib/variables/escape.ts';
import { httpRequestKind } from './kind.ts';

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS'] as const;

export type Method = (typeof METHODS)[number];

/** How variables are escaped in a text body, by type. */
const BODY_ESCAPES = new Map<unknown, Escape>([
  ['json', 'json'],
  ['form', 'url'],
]);

const HEADER_NAME = /^[A-Za-z0-9!#$%&'*+.^_`|~-]+$/;

const pairValue = () => variableText().default('').meta({ title: 'Value', variables: true });

const queryPair = z.strictObject({
  name: z.string().max(500, 'At most 500 characters.').min(1, 'Enter a name.').meta({ title: 'Name' }),
  value: pairValue(),
});

const headerPair = z.strictObject({
  name: z
    .string()
    .max(200, 'At most 200 characters.')
    .regex(HEADER_NAME, 'A header name has letters, digits and hyphens, without spaces or colons.')
    .refine((name) => !isOwnHeader(name), 'This header is set by Patchbay itself: remove it.')
    .meta({ title: 'Name', placeholder: 'Authorization' }),
  value: pairValue(),
});

const settings = z
  .strictObject({
    method: z.enum(METHODS).default('GET').meta({ title: 'Method' }),
    url: variableText()
      .refine((url) => !isMissing(url), 'Enter a URL.')
      .refine(
        (url) => isMissing(url) || hasVariables(url) || (URL.canParse(url) && /^https?:/i.test(url.trim())),
        'Enter a full URL that starts with https:// or http://.',
      )
      .meta({
        title: 'URL',
        description: 'Special characters in variables are encoded, unless the URL is a single variable.',
        variables: true,
        escape: 'url',
        secrets: true,
        widget: 'url',
        placeholder: 'https://api.example.com/orders/{{task_1_order_id}}',
      }),
    query: z
      .array(queryPair)
      .max(100, 'At most 100.')
      .default([])
      .meta({ title: 'Query parameters', secrets: true, namedSecrets: true, widget: 'list' }),
    headers: z
      .array(headerPair)
      .max(100, 'At most 100.')
      .default([])
      .meta({ title: 'Headers', secrets: true, namedSecrets: true, widget: 'list' }),
    body_type: z
      .enum(['none', 'json', 'form', 'text'])
      .default('none')
      .meta({ title: 'Body', labels: { none: 'None', json: 'JSON', form: 'Form fields', text: 'Text' } }),
    body: z
      .union([variableText(), z.array(z.unknown()), z.record(z.string(), z.unknown())])
      .default('')
      .meta({
        title: 'Body content',
        description:
          'JSON: variables become JSON values, or text inside quotes. Form fields: name=value, joined by & or one per line.',
        variables: true,
        escape: ({ body_type }) => BODY_ESCAPES.get(body_type) ?? 'none',
        secrets: true,
        namedSecrets: true,
        widget: 'code',
        placeholder: '{"order": {{task_1_order_id}}, "name": "{{task_1_name}}"}',
        visibleWhen: { field: 'body_type', is: ['json', 'form', 'text'] },
      }),
    timeout_seconds: z
      .number()
      .min(0.1, 'At least 0.1 seconds.')
      .max(120, 'At most 120 seconds.')
      .default(30)
      .meta({ title: 'Time limit in seconds', widget: 'number' }),
    fail_on_status: z
      .enum(['400_and_up', '500_and_up', 'never'])
      .default('400_and_up')
      .meta({
        title: 'Fail on',
        labels: {
          '400_and_up': 'any error (400 and above)',
          '500_and_up': 'server errors (500 and above)',
          never: 'no response (any status is accepted)',
        },
      }),
    if_unknown: z
      .enum(['flag', 'repeat'])
      .default('flag')
      .meta({
        title: 'If the outcome is unknown',
        description:
          'No answer came, or a gateway answered 502 or 504: the service may have carried out the request or not.',
        labels: {
          flag: 'Mark it: a person decides',
          repeat: 'Send it again: the service may get it twice',
        },
        visibleWhen: { field: 'method', is: ['POST', 'PATCH'] },
      }),
  })
  .refine(({ method, body_type }) => body_type === 'none' || !['GET', 'HEAD', 'OPTIONS'].includes(method), {
    path: ['body_type'],
    message: 'GET, HEAD and OPTIONS cannot have a body: select another method or remove the body.',
  })
  .refine(({ body_type, body }) => body_type !== 'json' || !isMissing(body) || Array.isArray(body), {
    path: ['body'],
    message: 'Enter the JSON to send.',
  })
  .refine(({ body_type, body }) => body_type !== 'text' || typeof body === 'string', {
    path: ['body'],
    message: 'The body is plain text: put it in quotes, or select JSON.',
  });

export type HttpRequestSettings = z.output<typeof settings>;

/** Calls an address on the public internet (docs/engine.md and 5). */
export const httpRequest = {
  ...httpRequestKind,
  settings,
  secretsGoTo: 'url',
  outputs: z.object({
    status: z.number().meta({ title: 'Status', description: 'The HTTP status, such as 200.' }),
    headers: z.record(z.string(), z.string()).meta({ title: 'Headers', description: 'By lowercase name.' }),
    body: z
      .unknown()
      .meta({ title: 'Body', description: 'JSON is parsed into fields; anything else is text.' }),
  }),
} satisfies TaskDefinition;

export const httpRequestExample: TaskExample = {
  says: 'Creates a ticket in another system and reads its number as `{{task_2_body_id}}`.',
  event: { customer: { name: 'Kim' }, text: 'The parcel is damaged.' },
  settings: {
    method: 'POST',
    url: 'https://support.example.com/api/tickets',
    headers: [{ name: 'X-Source', value: 'patchbay' }],
    body_type: 'json',
    body: '{"from": "{{task_1_customer_name}}", "text": "{{task_1_text}}"}',
  },
  output: { status: 201, body: { id: 4711, from: 'Kim', text: 'The parcel is damaged.' } },
};
