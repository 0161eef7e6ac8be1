import type { MailSettings } from './transport.ts';

/** Whether mail is set up; without loading the SMTP library. */
export const canMail = ({ SMTP_URL, MAIL_FROM }: MailSettings): boolean => Boolean(SMTP_URL && MAIL_FROM);
