// A separate process that requests a connection's token the given number of times; its parent is a test.
import { randomUUID } from 'node:crypto';
import { pino } from 'pino';
import { getAccessToken } from '#lib/messaging/connections/tokens/access-token.ts';
import { parseSettings } from '#lib/core/env.ts';
import { openRuntime } from '#lib/core/process-runtime.ts';
import { toMessagingRuntime } from '../runtime.ts';

const given = JSON.parse(process.argv[2] ?? '{}') as {
  variables: Record<string, string>;
  workspaceId: string;
};
const runtime = toMessagingRuntime(
  openRuntime('worker', parseSettings(given.variables), pino({ level: 'silent' })),
);
const ctx = { ...runtime, workspaceId: given.workspaceId, actor: randomUUID() };

process.on('message', (asked: { connectionId: string; times: number }) => {
  const asking = Array.from({ length: asked.times }, () => getAccessToken(ctx, asked.connectionId));
  void Promise.all(asking).then(
    (tokens) => process.send?.({ tokens: tokens.map(({ accessToken }) => accessToken) }),
    (error: unknown) => process.send?.({ problem: String(error) }),
  );
});
process.on('disconnect', () => process.exit(0));
process.send?.('ready');
