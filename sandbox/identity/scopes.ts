import { MANAGEMENT_SCOPE, MESSAGING_SCOPE } from '../product.ts';

/** What each scope means to the person who is asked for it. */
export const SCOPE_WORDS: Record<string, { title: string; detail: string }> = {
  [MANAGEMENT_SCOPE]: {
    title: 'Manage business account settings',
    detail: 'See your businesses, accounts and phone numbers; list and create message templates.',
  },
  [MESSAGING_SCOPE]: {
    title: 'Send messages for you',
    detail: 'Send templates, text and media to customers, read delivery statuses, mark messages as read.',
  },
  openid: { title: 'Confirm who you are', detail: 'Share an identifier of this demo account.' },
  profile: { title: 'See your name', detail: 'Share the name of this demo account.' },
  email: { title: 'See your email address', detail: 'Share the email address of this demo account.' },
  offline_access: {
    title: 'Stay connected',
    detail: 'Keep access when you are away, by refreshing its token.',
  },
};
