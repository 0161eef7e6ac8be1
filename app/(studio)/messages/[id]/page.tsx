import type { Metadata } from 'next';
import { notFound } from 'next/navigation';
import { MessageScreen } from '#components/customers/message-screen.tsx';
import { Page } from '#components/ui/page.tsx';
import { requireMember } from '#lib/identity/auth/session.ts';
import { nullIfMissing } from '#lib/core/errors.ts';
import { readMessage } from '#lib/screens/read-message.ts';

export const metadata: Metadata = { title: 'Message' };

export default async function MessagePage({ params }: { params: Promise<{ id: string }> }) {
  const ctx = await requireMember('viewer');
  const message = await readMessage(ctx, decode((await params).id)).catch(nullIfMissing);
  if (message === null) notFound();
  return (
    <Page>
      <MessageScreen message={message} />
    </Page>
  );
}

/** The platform's ids contain `=`, which an address may have encoded. */
function decode(id: string): string {
  try {
    return decodeURIComponent(id);
  } catch {
    return id;
  }
}
