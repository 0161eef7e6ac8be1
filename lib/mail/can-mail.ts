import type { MailSettings } from './transport.ts';

/** Whether mail is set up, for those who need no mail server's library for the answer. */
export const canMail = ({ SMTP_URL, MAIL_FROM }: MailSettings): boolean => Boolean(SMTP_URL && MAIL_FROM);
