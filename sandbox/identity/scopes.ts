import { BUSINESS_SCOPE, MANAGEMENT_SCOPE, MESSAGING_SCOPE, SCOPE_ALIASES } from '../product.ts';

const OWN_WORDS: Record<string, { title: string; detail: string }> = {
  [MANAGEMENT_SCOPE]: {
    title: 'Manage business account settings',
    detail: 'See your businesses, accounts and phone numbers; list and create message templates.',
  },
  [MESSAGING_SCOPE]: {
    title: 'Send messages for you',
    detail: 'Send templates, text and media to customers, read delivery statuses, mark messages as read.',
  },
  [BUSINESS_SCOPE]: {
    title: 'Manage your businesses',
    detail: 'See the businesses that you have a role in.',
  },
  openid: { title: 'Confirm who you are', detail: 'Share an identifier of this demo account.' },
  profile: { title: 'See your name', detail: 'Share the name of this demo account.' },
  email: { title: 'See your email address', detail: 'Share the email address of this demo account.' },
  offline_access: {
    title: 'Stay connected',
    detail: 'Keep access when you are away, by refreshing its token.',
  },
};

const ALIAS_WORDS = Object.entries(SCOPE_ALIASES).flatMap(([scope, aliases]) =>
  aliases.map((alias) => [alias, OWN_WORDS[scope] ?? { title: alias, detail: '' }] as const),
);

/** Every scope, with its description for users. */
export const SCOPE_WORDS = { ...OWN_WORDS, ...Object.fromEntries(ALIAS_WORDS) };
