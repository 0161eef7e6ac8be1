// Every task type as drawings show it. No schema hangs on these: the canvas opens without them.
import { delayKind } from './delay/kind.ts';
import { httpRequestKind } from './http-request/kind.ts';
import { ifConditionKind } from './if-condition/kind.ts';
import { inboundWebhookKind } from './inbound-webhook/kind.ts';
import { loopKind } from './loop/kind.ts';
import { messagingBusinessKind } from './messaging-business/kind.ts';
import { setVariablesKind } from './set-variables/kind.ts';
import type { TaskKind } from './task-kind.ts';

export const TASK_KINDS: readonly TaskKind[] = [
  inboundWebhookKind,
  ifConditionKind,
  delayKind,
  loopKind,
  setVariablesKind,
  httpRequestKind,
  messagingBusinessKind,
];

const byType = new Map<string, TaskKind>(TASK_KINDS.map((kind) => [kind.type, kind]));

/** Undefined for a type that does not exist. */
export const findTaskKind = (type: string): TaskKind | undefined => byType.get(type);
