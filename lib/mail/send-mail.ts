// Jobs of the queue, in a separate lane, so that a slow mail server delays no other job.
import { and, eq, isNull, sql } from 'drizzle-orm';
import type { Transporter } from 'nodemailer';
import type { Logger } from 'pino';
import * as z from 'zod';
import type { SecretBox } from '#lib/core/crypto/secret-box.ts';
import type { Database } from '#lib/core/db/client.ts';
import { retryWhileUnavailable } from '#lib/core/db/database-unavailable.ts';
import { AppError } from '#lib/core/errors.ts';
import { about } from '#lib/core/log-fields.ts';
import type { JobHandler, JobResult } from '#lib/core/queue/job-consumer.ts';
import { queueJob } from '#lib/core/queue/job-table.ts';
import { canMail } from './can-mail.ts';
import { mailBinding, mailContentSchema, SEND_MAIL } from './queue-mail.ts';
import { renderMail } from './render-mail.ts';
import { mails } from './schema.ts';
import {
  assertMailIsSetUp,
  describeSmtpProblem,
  type MailSettings,
  type MailSetup,
  openTransport,
} from './transport.ts';

export interface MailRuntime {
  db: Database;
  readonly secrets: SecretBox;
  settings: MailSettings;
  logger: Logger;
}

const KEEP_DAYS = 30;
const payloadSchema = z.object({ mail_id: z.uuid() });

/**
 * Sends mails. Each is sent at least once: a worker that dies between the server's answer and its record sends it again,
 * under the same Message-ID.
 * @returns null where mail is not set up, so that its jobs wait for a process where it is
 */
export function createMailHandler(runtime: MailRuntime): JobHandler | null {
  if (!canMail(runtime.settings)) return null;
  const withTransport = shareTransport(runtime.settings);
  return {
    ...SEND_MAIL,
    handle({ payload }) {
      const { mail_id: id } = payloadSchema.parse(payload);
      return withTransport((transport) => sendMail(runtime, transport, id));
    },
  };
}

/** Mails that are sent at the same time share connections, which are closed after the last one. */
function shareTransport(
  setup: MailSetup,
): <Result>(send: (transport: Transporter) => Promise<Result>) => Promise<Result> {
  let shared: Transporter | null = null;
  let senders = 0;
  return async (send) => {
    const transport = (shared ??= openTransport(setup));
    senders += 1;
    try {
      return await send(transport);
    } finally {
      senders -= 1;
      if (senders === 0) {
        transport.close();
        shared = null;
      }
    }
  };
}

/** Queues what 0.2.0 queued without a job: processes of that version run beside this one during an upgrade. */
export async function adoptMails(db: Pick<Database, 'execute'>): Promise<void> {
  await db.execute(sql`
    with adopted as (
      update mails set due_at = null where sent_at is null and failed_at is null and due_at <= now() returning id
    )
    select ${sql.raw(queueJob(SEND_MAIL, `json_build_object('mail_id', id)`))} from adopted`);
}

/** Removes the records of finished mails. */
export async function pruneMails(db: Database): Promise<void> {
  await db
    .delete(mails)
    .where(
      sql`created_at < now() - make_interval(days => ${KEEP_DAYS}) and (sent_at is not null or failed_at is not null or give_up_at < now())`,
    );
}

async function sendMail(
  { db, secrets, logger }: MailRuntime,
  transport: Transporter,
  id: string,
): Promise<JobResult> {
  const [mail] = await db
    .select({
      recipient: mails.recipient,
      subject: mails.subject,
      content: mails.content,
      attempts: mails.attempts,
      isLate: sql<boolean>`give_up_at <= now()`,
    })
    .from(mails)
    .where(and(eq(mails.id, id), isNull(mails.sentAt), isNull(mails.failedAt)));
  if (!mail || mail.content === null) return;
  // Repeated, because a mail whose record fails would be sent again.
  const record = (values: Partial<typeof mails.$inferInsert>) =>
    retryWhileUnavailable(() => db.update(mails).set(values).where(eq(mails.id, id)));
  if (mail.isLate) {
    await record({ failedAt: new Date(), content: null });
    return;
  }
  const { recipient, subject, content } = mail;
  const attempts = mail.attempts + 1;
  try {
    const { text, html } = mailContentSchema.parse(JSON.parse(secrets.open(content, mailBinding(id))));
    await transport.sendMail({ to: recipient, subject, text, html, messageId: `<${id}@patchbay>` });
  } catch (error) {
    const { message: problem, isFinal } = describeSmtpProblem(error);
    logger.warn({ ...about({ mailId: id }), problem }, 'A mail could not be sent');
    await record({ attempts, problem, ...(isFinal ? { failedAt: new Date(), content: null } : {}) });
    return isFinal ? undefined : { failedBecause: problem };
  }
  await record({ attempts, sentAt: new Date(), problem: null, content: null });
}

/**
 * Sends a mail immediately, so that the user sees the server's answer.
 * @throws AppError `upstream_failed` with the reason in plain words, `conflict` where mail is not set up
 */
export async function sendTestMail(settings: MailSettings, { to }: { to: string }): Promise<void> {
  assertMailIsSetUp(settings);
  const transport = openTransport(settings);
  const subject = 'Test mail from Patchbay';
  const paragraphs = ['Mail works. You asked for this test on the settings page.'];
  try {
    await transport.sendMail({ to, subject, ...renderMail({ subject, paragraphs }) });
  } catch (error) {
    throw new AppError('upstream_failed', describeSmtpProblem(error).message, { cause: error });
  } finally {
    transport.close();
  }
}
