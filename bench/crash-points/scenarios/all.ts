import type { Scenario } from '../scenario.ts';
import { LIST_SCENARIOS } from './lists.ts';
import { PROCESS_SCENARIOS } from './processes.ts';
import { RETENTION_SCENARIOS } from './retention.ts';
import { TASK_TYPE_SCENARIOS } from './task-types.ts';
import { VERB_SCENARIOS } from './verbs.ts';

export const SCENARIOS: readonly Scenario[] = [
  ...TASK_TYPE_SCENARIOS,
  ...VERB_SCENARIOS,
  ...PROCESS_SCENARIOS,
  ...LIST_SCENARIOS,
  ...RETENTION_SCENARIOS,
];
