// A real mail server that stores received mails, for database tests, integration tests and the specs of the browser.
import { EventEmitter, once } from 'node:events';
import type { AddressInfo, Server } from 'node:net';
import { SMTPServer, type SMTPServerOptions } from 'smtp-server';

const PATIENCE_MS = 60_000;

export interface MailServer {
  /** For the product: SMTP_URL and MAIL_FROM. */
  settings: { SMTP_URL: string; MAIL_FROM: string };
  /** Received mails with their headers, oldest first. */
  received: string[];
  /** Waits for the newest mail for which `look` returns a result. Lines of quoted-printable are joined. @throws Error after 30 s */
  find<Found>(look: (mail: string) => Found | undefined): Promise<Found>;
  /** Waits for the newest mail with this text in its subject. @throws Error after 30 s */
  waitForMail(subject: string): Promise<string>;
  close(): Promise<void>;
}

/** @param options of the server, such as its refusals */
export async function startMailServer(options: SMTPServerOptions = {}): Promise<MailServer> {
  const received: string[] = [];
  const arrivals = new EventEmitter();
  const smtp = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    onData(stream, _session, done) {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('end', () => {
        received.push(Buffer.concat(chunks).toString());
        done();
        arrivals.emit('mail');
      });
    },
    ...options,
  });
  const server = await new Promise<Server>((resolve) => {
    const listening = smtp.listen(0, '127.0.0.1', () => resolve(listening));
  });
  const { port } = server.address() as AddressInfo;
  async function find<Found>(look: (mail: string) => Found | undefined): Promise<Found> {
    const signal = AbortSignal.timeout(PATIENCE_MS);
    for (;;) {
      const found = received.map((mail) => look(toText(mail))).findLast((each) => each !== undefined);
      if (found !== undefined) return found;
      await once(arrivals, 'mail', { signal }).catch((cause: unknown) => {
        throw new Error(`The mail did not come. There are ${received.length} others.`, { cause });
      });
    }
  }
  return {
    settings: { SMTP_URL: `smtp://127.0.0.1:${port}`, MAIL_FROM: 'Patchbay <patchbay@example.com>' },
    received,
    find,
    waitForMail: (subject) => find((mail) => (mail.includes(subject) ? mail : undefined)),
    close: () => new Promise<void>((closed) => smtp.close(() => closed())),
  };
}

const toText = (mail: string): string =>
  mail
    .replace(/=\r\n/g, '')
    .replace(/((?:=[0-9A-F]{2})+)/g, (codes) =>
      Buffer.from(codes.replaceAll('=', ''), 'hex').toString('utf8'),
    );
