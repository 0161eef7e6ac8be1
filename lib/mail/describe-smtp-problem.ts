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
