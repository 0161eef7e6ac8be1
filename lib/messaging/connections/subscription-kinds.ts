/** What a connection's notifications are forwarded by. */
export const SUBSCRIPTION_KINDS = ['messages', 'statuses', 'templates'] as const;
