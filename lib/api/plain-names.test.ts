import { expect, test } from 'vitest';
import type * as z from 'zod';
import { destinationInputSchema } from '#lib/alerts/destinations/schema.ts';
import { CONTROLS_IN_NAME } from '#lib/core/plain-name.ts';
import { apiKeyInputSchema } from '#lib/identity/api-keys/schema.ts';
import { newInvitationSchema } from '#lib/identity/members/schema.ts';
import { renamePasskeySchema } from '#lib/identity/passkeys/schema.ts';
import { workspaceNameSchema } from '#lib/identity/workspaces/schema.ts';
import { newConnectionSchema, renameConnectionSchema } from '#lib/messaging/connections/schema.ts';
import { newWorkflowSchema, tagsSchema } from '#lib/workflows/schema.ts';

/** Every place where users name something: the verb that takes the name, and its input. */
const NAMES: Record<string, [schema: z.ZodType, give: (name: string) => unknown]> = {
  workflow: [newWorkflowSchema, (name) => ({ name, tasks: [], edges: [] })],
  task: [
    newWorkflowSchema,
    (name) => ({ name: 'A', tasks: [{ id: 1, type: 'inbound_webhook', name, settings: {} }], edges: [] }),
  ],
  tag: [tagsSchema, (name) => [name]],
  connection: [newConnectionSchema, (name) => ({ name, access_token: 'token' })],
  'connection that is renamed': [renameConnectionSchema, (name) => ({ name })],
  workspace: [workspaceNameSchema, (name) => ({ name })],
  passkey: [renamePasskeySchema, (name) => ({ id: 'a', name })],
  'API key': [apiKeyInputSchema, (name) => ({ name })],
  'note of an invitation': [newInvitationSchema, (note) => ({ note, role: 'viewer', days: 1 })],
  'destination of alerts': [
    destinationInputSchema,
    (name) => ({ name, config: { channel: 'webhook', url: 'https://example.com/alerts' } }),
  ],
};

test.each(Object.entries(NAMES))('the name of a %s has no control character', (_what, [schema, give]) => {
  const messagesOf = (name: string) =>
    schema.safeParse(give(name)).error?.issues.map(({ message }) => message) ?? [];
  for (const plain of ['Order desk', 'Größe 👍🏽', 'مرحبا'])
    expect(messagesOf(plain)).not.toContain(CONTROLS_IN_NAME);
  for (const control of ['\0', '\n', '\r', '\t', '\u0007', '\u001b[31m', '\u007f', '\u0085', '\u2028'])
    expect(messagesOf(`a${control}b`), JSON.stringify(control)).toContain(CONTROLS_IN_NAME);
});
