import type { MailSettings, MailSetup } from './transport.ts';

/** Whether mail is set up; without loading the SMTP library. */
export const canMail = (settings: MailSettings): settings is MailSetup =>
  Boolean(settings.SMTP_URL && settings.MAIL_FROM);
