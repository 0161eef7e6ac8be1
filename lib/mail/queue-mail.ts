import * as z from 'zod';
import type { Binding, SecretBox } from '#lib/core/crypto/secret-box.ts';
import type { Database } from '#lib/core/db/client.ts';
import { newId } from '#lib/core/ids.ts';
import { addJob, type JobKind, MAILS } from '#lib/core/queue/job-table.ts';
import { type MailText, renderMail } from './render-mail.ts';
import { mails } from './schema.ts';

export interface NewMail extends MailText {
  kind: 'invitation' | 'password_reset' | 'two_factor' | 'passkey' | 'alert' | 'break_glass';
  to: string;
  /** How long to retry. */
  usefulSeconds: number;
}

/** Its payload is `{ mail_id }`. */
export const SEND_MAIL: JobKind = { task: 'send_mail', lane: MAILS };

export const mailContentSchema = z.strictObject({ text: z.string(), html: z.string() });
export const mailBinding = (id: string): Binding => ['installation', 'mail', id];

/**
 * Queues a mail; a worker sends it within seconds of the commit.
 * @param tx the transaction of the mail's cause, so that both are committed or neither
 * @returns its id in `mails`, whose row has the outcome
 */
export async function queueMail(
  tx: Pick<Database, 'insert' | 'execute'>,
  secrets: SecretBox,
  { kind, to, usefulSeconds, ...text }: NewMail,
): Promise<string> {
  const id = newId();
  await tx.insert(mails).values({
    id,
    kind,
    recipient: to,
    subject: text.subject,
    content: secrets.seal(JSON.stringify(renderMail(text)), mailBinding(id)),
    dueAt: null,
    giveUpAt: new Date(Date.now() + usefulSeconds * 1000),
  });
  await addJob(tx, SEND_MAIL, { mail_id: id });
  return id;
}
