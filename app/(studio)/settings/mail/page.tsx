import type { Metadata } from 'next';
import { MailCard } from '#components/settings/mail-card.tsx';
import { env } from '#lib/core/env.ts';
import { requireMember } from '#lib/identity/auth/session.ts';
import { describeMailSetup } from '#lib/mail/transport.ts';
import { testMail } from '../actions.ts';

export const metadata: Metadata = { title: 'Mail' };

export default async function MailPage() {
  const { user } = await requireMember('owner');
  return <MailCard setup={describeMailSetup(env())} email={user.email} test={testMail} />;
}
