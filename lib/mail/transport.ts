// SMTP transport of SMTP_URL.
import { createTransport, type Transporter } from 'nodemailer';
import { AppError } from '#lib/core/errors.ts';
import type SMTPPool from 'nodemailer/lib/smtp-pool/index.js';
import type { Settings } from '#lib/core/env.ts';

export type MailSettings = Pick<Settings, 'SMTP_URL' | 'MAIL_FROM'>;

const CONNECT_TIMEOUT_MS = 10_000;
const ANSWER_TIMEOUT_MS = 20_000;
const MAX_CONNECTIONS = 4;

/** The SMTP server and sender, without the password; null: mail is not set up. */
export function describeMailSetup({
  SMTP_URL,
  MAIL_FROM,
}: MailSettings): { server: string; from: string } | null {
  if (!SMTP_URL || !MAIL_FROM) return null;
  const { hostname, port, protocol } = new URL(SMTP_URL);
  return { server: `${hostname}:${port || (protocol === 'smtps:' ? '465' : '587')}`, from: MAIL_FROM };
}

/** @throws AppError `conflict`, which names the settings */
export function assertMailIsSetUp(settings: MailSettings): void {
  if (!describeMailSetup(settings))
    throw new AppError('conflict', 'Mail is not set up: set SMTP_URL and MAIL_FROM.');
}

/** Opens connections when there is something to send; null: mail is not set up. Close it after use. */
export function openTransport({ SMTP_URL, MAIL_FROM }: MailSettings): Transporter | null {
  if (!SMTP_URL || !MAIL_FROM) return null;
  const options: SMTPPool.Options & { dnsTimeout: number } = {
    url: SMTP_URL,
    pool: true,
    maxConnections: MAX_CONNECTIONS,
    connectionTimeout: CONNECT_TIMEOUT_MS,
    greetingTimeout: CONNECT_TIMEOUT_MS,
    socketTimeout: ANSWER_TIMEOUT_MS,
    dnsTimeout: CONNECT_TIMEOUT_MS,
    disableFileAccess: true,
    disableUrlAccess: true,
  };
  return createTransport(options, { from: MAIL_FROM, headers: { 'Auto-Submitted': 'auto-generated' } });
}
