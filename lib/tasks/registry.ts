// Every task type, by its name; executors are in executors.ts, which only servers load.
import { delay } from './delay/definition.ts';
import { httpRequest } from './http-request/definition.ts';
import { ifCondition } from './if-condition/definition.ts';
import { inboundWebhook } from './inbound-webhook/definition.ts';
import { loop } from './loop/definition.ts';
import { messagingBusiness } from './messaging-business/definition.ts';
import { setVariables } from './set-variables/definition.ts';
import type { TaskDefinition } from './task-definition.ts';

export const TASK_DEFINITIONS: readonly TaskDefinition[] = [
  inboundWebhook,
  ifCondition,
  delay,
  loop,
  setVariables,
  httpRequest,
  messagingBusiness,
];

const byType = new Map<string, TaskDefinition>(
  TASK_DEFINITIONS.map((definition) => [definition.type, definition]),
);

/** Undefined for a type that does not exist. */
export const findTaskDefinition = (type: string): TaskDefinition | undefined => byType.get(type);
