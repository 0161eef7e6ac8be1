import type { Metadata } from 'next';
import { TimeForm } from '#components/settings/time-form.tsx';
import { requireMember } from '#lib/identity/auth/session.ts';
import { getWorkspaceTime } from '#lib/identity/workspaces/workspace-time.ts';
import { saveTime } from '../actions.ts';

export const metadata: Metadata = { title: 'Time' };

export default async function TimePage() {
  const ctx = await requireMember('owner');
  const saved = await getWorkspaceTime(ctx);
  return <TimeForm key={JSON.stringify(saved)} saved={saved} save={saveTime} />;
}
