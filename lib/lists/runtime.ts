import type { MessagingRuntime } from '#lib/messaging/runtime.ts';

/** What the job of lists needs of its process. */
export type ListRuntime = Pick<MessagingRuntime, 'db' | 'hot' | 'secrets' | 'platform' | 'logger'>;
