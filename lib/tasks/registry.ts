// Every task type, by its name; executors are in executors.ts, which only servers load.
import { inboundWebhook } from './inbound-webhook/definition.ts';
import type { TaskDefinition } from './task-definition.ts';

export const TASK_DEFINITIONS = [inboundWebhook] as const satisfies readonly TaskDefinition[];

const byType = new Map<string, TaskDefinition>(TASK_DEFINITIONS.map((definition) => [definition.type, definition]));

/** Undefined for a type that does not exist. */
export const findTaskDefinition = (type: string): TaskDefinition | undefined => byType.get(type);
