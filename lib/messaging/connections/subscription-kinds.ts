/** What a connection's notifications are handed on by. */
export const SUBSCRIPTION_KINDS = ['messages', 'statuses', 'templates'] as const;
