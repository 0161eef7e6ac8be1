import { AppError } from '#lib/core/errors.ts';
import { describeSmtpProblem } from './describe-smtp-problem.ts';
import { renderMail } from './render-mail.ts';
import { type MailSettings, assertMailIsSetUp, openTransport } from './transport.ts';

/**
 * Sends a mail immediately, so that the user sees the server's answer.
 * @throws AppError `upstream_failed` with the reason in plain words, `conflict` where mail is not set up
 */
export async function sendTestMail(settings: MailSettings, { to }: { to: string }): Promise<void> {
  assertMailIsSetUp(settings);
  const transport = openTransport(settings);
  if (!transport) return;
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
