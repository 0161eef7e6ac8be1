import type { LoginOrigin } from './login-secrets.ts';

/** The screen that a login was started from, with the connection chosen in it: a task on the canvas, or a starter of the gallery. */
export const placeOfOrigin = (origin: LoginOrigin, connectionId: string): string =>
  'starterId' in origin
    ? `/gallery?${new URLSearchParams({ starter: origin.starterId, connection: connectionId })}`
    : `/workflows/${origin.workflowId}?task=${origin.taskId}&connection=${connectionId}`;
