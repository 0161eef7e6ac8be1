// The trigger's settings about callers and bodies; all are off by default (docs/webhooks.md).
import * as z from 'zod';
import { readSecretVariable } from '#lib/secrets/named-secret.ts';
import { isAddressRange, isOrigin, splitEntries } from './allowed-callers.ts';

const SIGNED_WITH_TIME = ['stripe', 'standard_webhooks', 'slack', 'hmac'] as const;
const WITH_SECRET = [
  'github',
  'stripe',
  'shopify',
  'standard_webhooks',
  'slack',
  'hmac',
  'bearer',
  'basic',
  'header',
] as const;
const HEADER_NAME = /^[A-Za-z0-9!#$%&'*+.^_`|~-]+$/;
/** The default of Stripe, Slack and Standard Webhooks. */
export const DEFAULT_TOLERANCE_SECONDS = 300;
const GROUP = 'Who may call';

/** The name of a header, or nothing. */
export const headerName = () =>
  z
    .string()
    .max(200, 'At most 200 characters.')
    .regex(HEADER_NAME, 'A header name has letters, digits and hyphens, without spaces or colons.')
    .or(z.literal(''))
    .optional();

const listOf = (isEntry: (entry: string) => boolean, whatToEnter: string) =>
  z
    .string()
    .max(10_000, 'At most 10,000 characters.')
    .optional()
    .superRefine((text, context) => {
      const wrong = splitEntries(text).find((entry) => !isEntry(entry));
      if (wrong !== undefined)
        context.addIssue({
          code: 'custom',
          message: `${JSON.stringify(wrong)} is not valid: ${whatToEnter}`,
        });
    });

/** Settings of the trigger's group "Who may call". */
export const callerSettingsShape = {
  caller_check: z
    .enum(['none', ...WITH_SECRET])
    .default('none')
    .meta({
      title: 'Check callers by',
      description: 'Requests that fail the check are answered with 401 and start nothing.',
      group: GROUP,
      labels: {
        none: 'Nothing: the secret URL is enough',
        github: 'GitHub signature',
        stripe: 'Stripe signature',
        shopify: 'Shopify signature',
        standard_webhooks: 'Standard Webhooks signature',
        slack: 'Slack signature',
        hmac: 'Another HMAC signature',
        bearer: 'Bearer token',
        basic: 'User name and password (basic)',
        header: 'Secret in a header',
      },
    }),
  caller_name: z
    .string()
    .max(200, 'At most 200 characters.')
    .optional()
    .meta({ title: 'User name', group: GROUP, visibleWhen: { field: 'caller_check', is: ['basic'] } }),
  caller_secret: z
    .string()
    .max(4096, 'At most 4,096 characters.')
    .optional()
    .meta({
      title: 'Secret',
      description:
        'The signing secret, token or password that the caller uses. Stored encrypted, never shown. Or a secret of the workspace: {{secret.name}}.',
      group: GROUP,
      secrets: 'whole',
      variables: true,
      namedSecrets: true,
      visibleWhen: { field: 'caller_check', is: WITH_SECRET },
    }),
  caller_header: headerName().meta({
    title: 'Header',
    description: 'The header with the signature or the secret.',
    group: GROUP,
    placeholder: 'X-Signature',
    visibleWhen: { field: 'caller_check', is: ['hmac', 'header'] },
  }),
  signature_prefix: z
    .string()
    .max(100, 'At most 100 characters.')
    .optional()
    .meta({
      title: 'Text before the signature',
      group: GROUP,
      placeholder: 'sha256=',
      visibleWhen: { field: 'caller_check', is: ['hmac'] },
    }),
  signature_algorithm: z
    .enum(['sha256', 'sha512', 'sha1'])
    .default('sha256')
    .meta({
      title: 'Hash',
      group: GROUP,
      labels: { sha256: 'SHA-256', sha512: 'SHA-512', sha1: 'SHA-1' },
      visibleWhen: { field: 'caller_check', is: ['hmac'] },
    }),
  signature_encoding: z
    .enum(['hex', 'base64'])
    .default('hex')
    .meta({
      title: 'Encoding',
      group: GROUP,
      labels: { hex: 'Hexadecimal', base64: 'Base64' },
      visibleWhen: { field: 'caller_check', is: ['hmac'] },
    }),
  timestamp_header: headerName().meta({
    title: 'Timestamp header',
    description: 'If given, "<timestamp>.<body>" is what is signed. Otherwise the body alone.',
    group: GROUP,
    placeholder: 'X-Timestamp',
    visibleWhen: { field: 'caller_check', is: ['hmac'] },
  }),
  timestamp_tolerance_seconds: z
    .int('Enter a whole number of seconds.')
    .min(1, 'At least 1 second.')
    .max(86_400, 'At most 86,400 seconds (a day).')
    .default(DEFAULT_TOLERANCE_SECONDS)
    .meta({
      title: 'Oldest accepted timestamp, in seconds',
      description: 'How far a signed timestamp may be from now.',
      group: GROUP,
      widget: 'number',
      visibleWhen: { field: 'caller_check', is: SIGNED_WITH_TIME },
    }),
  allowed_addresses: listOf(
    isAddressRange,
    'enter IP addresses or ranges, such as 203.0.113.7 or 203.0.113.0/24.',
  ).meta({
    title: 'Allowed IP addresses',
    description: 'Addresses or ranges, separated by spaces or commas. Empty: all. Others get 403.',
    group: GROUP,
    placeholder: '203.0.113.7, 2001:db8::/32',
  }),
  allowed_origins: listOf(isOrigin, 'enter origins, such as https://shop.example, or * for all.').meta({
    title: 'Allowed browser origins (CORS)',
    description: 'Websites whose scripts may call the URL. Empty: none. Use * for all.',
    group: GROUP,
    placeholder: 'https://shop.example',
  }),
  body_types: z
    .enum(['json', 'json_and_forms', 'json_forms_and_files'])
    .default('json')
    .meta({
      title: 'Accepted bodies',
      description:
        'Form fields become the fields of the event. Where files are accepted, each becomes a link with its name, type and size.',
      group: GROUP,
      labels: {
        json: 'JSON',
        json_and_forms: 'JSON and HTML forms, no files',
        json_forms_and_files: 'JSON and HTML forms with files',
      },
    }),
};

/** As stored: missing settings have their default. */
export type CallerSettings = z.input<z.ZodObject<typeof callerSettingsShape>>;
export type CallerCheck = Exclude<CallerSettings['caller_check'], undefined | 'none'>;

/** Settings that the selected check still needs, by path. */
export function listMissingForCheck(settings: CallerSettings): { path: string; message: string }[] {
  const { caller_check: check = 'none', caller_secret, caller_name, caller_header } = settings;
  if (check === 'none') return [];
  const missing: { path: string; message: string }[] = [];
  if (!caller_secret?.trim())
    missing.push({ path: 'caller_secret', message: 'Enter the secret that the caller uses.' });
  else if (caller_secret.includes('{{') && readSecretVariable(caller_secret) === undefined)
    missing.push({
      path: 'caller_secret',
      message: 'Enter the secret itself, or one secret of the workspace as {{secret.name}} and nothing else.',
    });
  if (check === 'basic' && !caller_name) missing.push({ path: 'caller_name', message: 'Enter a user name.' });
  if (check === 'basic' && caller_name?.includes(':'))
    missing.push({ path: 'caller_name', message: 'Remove the colon from the user name.' });
  if ((check === 'hmac' || check === 'header') && !caller_header)
    missing.push({ path: 'caller_header', message: 'Enter the name of the header.' });
  return missing;
}
