// A recurring job, one for all workers, so that a slow mail server delays no other job.
import type { Transporter } from 'nodemailer';
import type { Logger } from 'pino';
import { eq, sql } from 'drizzle-orm';
import { about } from '#lib/core/log-fields.ts';
import type { SecretBox } from '#lib/core/crypto/secret-box.ts';
import type { Database } from '#lib/core/db/client.ts';
import { queryRows } from '#lib/core/db/sql.ts';
import { describeSmtpProblem } from './describe-smtp-problem.ts';
import { mailBinding, mailContentSchema } from './queue-mail.ts';
import { mails } from './schema.ts';
import { type MailSettings, openTransport } from './transport.ts';

export interface MailRuntime {
  db: Database;
  readonly secrets: SecretBox;
  settings: MailSettings;
  logger: Logger;
}

const BATCH = 20;
/** Longer than a batch can take: the mails of a worker that died are tried again after it. */
const LEASE_SECONDS = 600;
const FIRST_RETRY_SECONDS = 15;
const LONGEST_RETRY_SECONDS = 3600;
const KEEP_DAYS = 30;

interface Due {
  id: string;
  recipient: string;
  subject: string;
  content: string;
  attempts: number;
  is_late: boolean;
}

/**
 * Sends all mails that are due. Each is sent at least once: a worker that dies between the server's answer and its record
 * sends it again, under the same Message-ID. Does nothing where mail is not set up.
 */
export async function sendDueMails(runtime: MailRuntime): Promise<void> {
  const transport = openTransport(runtime.settings);
  if (!transport) return;
  try {
    for (;;) {
      const due = await claimDue(runtime.db);
      const sent = await Promise.allSettled(due.map((mail) => send(runtime, transport, mail)));
      for (const each of sent) if (each.status === 'rejected') throw each.reason;
      if (due.length < BATCH) return;
    }
  } finally {
    transport.close();
  }
}

/** Removes the records of finished mails. */
export async function pruneMails(db: Database): Promise<void> {
  await db
    .delete(mails)
    .where(
      sql`created_at < now() - make_interval(days => ${KEEP_DAYS}) and (sent_at is not null or failed_at is not null or give_up_at < now())`,
    );
}

const claimDue = (db: Database): Promise<Due[]> =>
  queryRows<Due>(
    db,
    sql`update mails set due_at = now() + make_interval(secs => ${LEASE_SECONDS}), attempts = attempts + 1
    where id in (
      select id from mails where sent_at is null and failed_at is null and due_at <= now()
      order by due_at limit ${BATCH} for update skip locked
    )
    returning id, recipient, subject, content_encrypted as content, attempts, give_up_at <= now() as is_late`,
  );

async function send({ db, secrets, logger }: MailRuntime, transport: Transporter, mail: Due): Promise<void> {
  const { id, recipient, subject, content, attempts } = mail;
  const update = (values: Partial<typeof mails.$inferInsert>) =>
    db.update(mails).set(values).where(eq(mails.id, id));
  if (mail.is_late) {
    await update({ failedAt: new Date(), content: null });
    return;
  }
  try {
    const { text, html } = mailContentSchema.parse(JSON.parse(secrets.open(content, mailBinding(id))));
    await transport.sendMail({ to: recipient, subject, text, html, messageId: `<${id}@patchbay>` });
  } catch (error) {
    const { message, isFinal } = describeSmtpProblem(error);
    logger.warn({ ...about({ mailId: id }), problem: message }, 'A mail could not be sent');
    const waitSeconds = Math.min(FIRST_RETRY_SECONDS * 2 ** (attempts - 1), LONGEST_RETRY_SECONDS);
    await update(
      isFinal
        ? { failedAt: new Date(), problem: message, content: null }
        : { dueAt: new Date(Date.now() + waitSeconds * 1000), problem: message },
    );
    return;
  }
  await update({ sentAt: new Date(), problem: null, content: null });
}
