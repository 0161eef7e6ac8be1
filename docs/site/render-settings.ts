import * as z from 'zod';
import { settingsSchema } from '#lib/core/env.ts';
import { CONTRIBUTOR_SETTINGS, type SettingText, SETTING_GROUPS } from './setting-texts.ts';

/** Read by the launcher and the tests, not by the processes (server/launcher/settings.ts). */
export const OF_THE_LAUNCHER = ['WEB_PROCESSES', 'WORKER_PROCESSES', 'SANDBOX_HOST'];

interface JsonSetting {
  default?: unknown;
  enum?: readonly unknown[];
}

const INTRODUCTION = `# Settings

All settings are environment variables, and all of them have a default that works. An empty value counts as not set. A setting that cannot be used
keeps Patchbay from starting; the message names every such setting.

Every setting can come from a file: \`ENCRYPTION_KEYS_FILE\` names a file that holds \`ENCRYPTION_KEYS\`.

To try Patchbay you need none. In production, most installations set \`PATCHBAY_ENV\`, \`BASE_URL\`, \`DATABASE_URL\`, \`SMTP_URL\` and
\`MAIL_FROM\`, and those of the messaging platform ([Install and ship](../operations.md)). Secrets that are not set are created at the first start,
in \`secrets.json\` in the data folder. Back that file up with the database: without it, stored tokens and secrets cannot be read.

This page is made from \`lib/core/env.ts\`.
`;

const TRACES = `
## Traces

Traces use OpenTelemetry’s own variables. Set \`OTEL_EXPORTER_OTLP_ENDPOINT\` to your collector to switch them on; you need none otherwise.
[Traces](../operations.md#traces) says what is traced, and
[OpenTelemetry’s documentation](https://opentelemetry.io/docs/specs/otel/configuration/sdk-environment-variables/) what each variable means.
`;

const CONTRIBUTORS = `# Settings for tests and measurements

Contributors change these; an installation never needs them. [Settings](settings.md) has those of an installation.

`;

/** The page of the docs about settings, as Markdown. */
export function renderSettings(): string {
  const groups = Object.entries(SETTING_GROUPS).map(
    ([title, settings]) => `\n## ${title}\n\n${renderTable(settings)}`,
  );
  return INTRODUCTION + groups.join('') + TRACES;
}

/** The page about settings of tests and measurements. */
export const renderContributorSettings = (): string => CONTRIBUTORS + renderTable(CONTRIBUTOR_SETTINGS);

function renderTable(settings: Readonly<Record<string, SettingText>>): string {
  const { properties = {} } = z.toJSONSchema(settingsSchema, { io: 'input', unrepresentable: 'any' });
  const rows = Object.entries(settings).map(([name, { what, when, example, otherwise }]) => {
    const { default: initial, enum: choices } = (properties[name] ?? {}) as JsonSetting;
    const value =
      initial === undefined || initial === ''
        ? (otherwise ?? '')
        : `\`${JSON.stringify(initial).replaceAll('"', '')}\``;
    const among = choices ? ` One of ${choices.map((each) => `\`${String(each)}\``).join(', ')}.` : '';
    return `| \`${name}\` | ${what}${among} *Set it when:* ${when} | ${value} | ${toExample(example)} |\n`;
  });
  return `| setting | what it does, and when you need it | default | example |\n|---|---|---|---|\n${rows.join('')}`;
}

/** A value, or words about one. */
const toExample = (example: string): string => (/^(a|of) /.test(example) ? example : `\`${example}\``);
