import type { LoginOrigin } from './login-secrets.ts';

/** Where a task is on the canvas, opened with a connection chosen in it. */
export const placeOfTask = ({ workflowId, taskId }: LoginOrigin, connectionId: string): string =>
  `/workflows/${workflowId}?task=${taskId}&connection=${connectionId}`;
