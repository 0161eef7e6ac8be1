import * as z from 'zod';
import { settingsSchema } from '#lib/core/env.ts';
import { SETTING_GROUPS } from './setting-texts.ts';

/** Read by the launcher and the tests, not by the processes (server/launcher/settings.ts). */
export const OF_THE_LAUNCHER = ['WEB_PROCESSES', 'WORKER_PROCESSES', 'SANDBOX_HOST', 'SANDBOX_PUBLIC_URL'];

interface JsonSetting {
  default?: unknown;
  enum?: readonly unknown[];
}

const INTRODUCTION = `# Settings

All settings are environment variables, and all of them have a default that works. An empty value counts as not set. A setting that cannot be used
keeps Patchbay from starting; the message names every such setting.

Every setting can come from a file: \`ENCRYPTION_KEYS_FILE\` names a file that holds \`ENCRYPTION_KEYS\`.

This page is made from \`lib/core/env.ts\`.
`;

/** The page of the docs about settings, as Markdown. */
export function renderSettings(): string {
  const { properties = {} } = z.toJSONSchema(settingsSchema, { io: 'input', unrepresentable: 'any' });
  const groups = Object.entries(SETTING_GROUPS).map(([title, settings]) => {
    const rows = Object.entries(settings).map(([name, { what, example, otherwise }]) => {
      const { default: initial, enum: choices } = (properties[name] ?? {}) as JsonSetting;
      const value =
        initial === undefined || initial === ''
          ? (otherwise ?? '')
          : `\`${JSON.stringify(initial).replaceAll('"', '')}\``;
      const among = choices ? ` One of ${choices.map((each) => `\`${String(each)}\``).join(', ')}.` : '';
      return `| \`${name}\` | ${what}${among} | ${value} | ${toExample(example)} |\n`;
    });
    return `\n## ${title}\n\n| setting | what it does | default | example |\n|---|---|---|---|\n${rows.join('')}`;
  });
  return INTRODUCTION + groups.join('');
}

/** A value, or words about one. */
const toExample = (example: string): string => (/^(a|of) /.test(example) ? example : `\`${example}\``);
