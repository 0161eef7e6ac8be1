// SMTP transport of SMTP_URL.
import { createTransport, type Transporter } from 'nodemailer';
import type SMTPPool from 'nodemailer/lib/smtp-pool/index.js';
import type { Settings } from '#lib/core/env.ts';
import { AppError } from '#lib/core/errors.ts';

export type MailSettings = Pick<Settings, 'SMTP_URL' | 'MAIL_FROM'>;
/** Where mail is set up. */
export type MailSetup = Record<keyof MailSettings, string>;

const CONNECT_TIMEOUT_MS = 10_000;
const ANSWER_TIMEOUT_MS = 20_000;

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
export function assertMailIsSetUp(settings: MailSettings): asserts settings is MailSetup {
  if (!describeMailSetup(settings))
    throw new AppError('conflict', 'Mail is not set up: set SMTP_URL and MAIL_FROM.');
}

/** Opens connections when there is something to send. Close it after use. */
export function openTransport({ SMTP_URL, MAIL_FROM }: MailSetup): Transporter {
  const options: SMTPPool.Options & { dnsTimeout: number } = {
    url: SMTP_URL,
    pool: true,
    connectionTimeout: CONNECT_TIMEOUT_MS,
    greetingTimeout: CONNECT_TIMEOUT_MS,
    socketTimeout: ANSWER_TIMEOUT_MS,
    dnsTimeout: CONNECT_TIMEOUT_MS,
    disableFileAccess: true,
    disableUrlAccess: true,
  };
  return createTransport(options, { from: MAIL_FROM, headers: { 'Auto-Submitted': 'auto-generated' } });
}

/** An attempt that failed, for people. */
export interface SmtpProblem {
  message: string;
  /** A retry would get the same answer. */
  isFinal: boolean;
}

const MAX_RESPONSE_CHARACTERS = 300;

const FIXES: Readonly<Record<string, string>> = {
  EAUTH: 'The mail server refused the user name or password. Check them in SMTP_URL.',
  EDNS: 'The name of the mail server was not found. Check the host in SMTP_URL.',
  ETIMEDOUT: 'The mail server did not answer in time. Check host and port in SMTP_URL, and the firewall.',
  ECONNECTION: 'No connection to the mail server. Check host and port in SMTP_URL.',
  ESOCKET:
    'No connection to the mail server. Check host, port and encryption (smtp:// or smtps://) in SMTP_URL.',
  ETLS: 'The encrypted connection to the mail server failed. Check its certificate, and smtp:// or smtps:// in SMTP_URL.',
  EENVELOPE: 'The mail server refused the sender or the recipient. Check MAIL_FROM and the address.',
  EMESSAGE: 'The mail server refused the message.',
};

/**
 * Describes in plain words why nodemailer could not send, with the server's own answer.
 * @param error as nodemailer throws it: `code`, and `response` and `responseCode` (RFC 5321) where the server answered
 */
export function describeSmtpProblem(error: unknown): SmtpProblem {
  const given = error instanceof Error ? (error as Error & Record<string, unknown>) : undefined;
  const code = typeof given?.['code'] === 'string' ? given['code'] : '';
  const response = given?.['response'];
  const words = FIXES[code] ?? 'The mail could not be sent.';
  const answer =
    typeof response === 'string'
      ? ` The server answered: ${response.slice(0, MAX_RESPONSE_CHARACTERS)}`
      : ` (${(given?.message ?? 'unknown error').slice(0, MAX_RESPONSE_CHARACTERS)})`;
  const status = Number(given?.['responseCode']);
  return {
    message: words + answer,
    isFinal: status >= 500 && (code === 'EENVELOPE' || code === 'EMESSAGE'),
  };
}
