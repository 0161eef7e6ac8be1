import type { Metadata } from 'next';
import { notFound } from 'next/navigation';
import { ListScreen } from '#components/lists/list-screen.tsx';
import { Page } from '#components/ui/page.tsx';
import { nullIfMissing } from '#lib/core/errors.ts';
import { requireMember } from '#lib/identity/auth/session.ts';
import { hasRole } from '#lib/identity/roles/roles.ts';
import {
  listCountries,
  readSendList,
  readSendListRows,
  rowFilterSchema,
} from '#lib/screens/lists/read-send-lists.ts';
import { changeMapping, pause, remove, resume, retryFailed, start, stop } from '../actions.ts';

const ACTIONS = { changeMapping, start, pause, resume, stop, retryFailed, remove };

export const metadata: Metadata = { title: 'List' };

type Props = {
  params: Promise<{ id: string; listId: string }>;
  searchParams: Promise<Record<string, string | string[] | undefined>>;
};

export default async function ListPage({ params, searchParams }: Props) {
  const ctx = await requireMember('viewer');
  const { id, listId } = await params;
  const query = await searchParams;
  const filter = rowFilterSchema.parse({ ...query, cursor: undefined });
  const of = { workflowId: id, id: listId };
  const loaded = await Promise.all([
    readSendList(ctx, of),
    readSendListRows(ctx, { ...of, ...filter }),
  ]).catch(nullIfMissing);
  if (loaded === null) notFound();
  const [first, firstRows] = loaded;
  return (
    <Page>
      <ListScreen
        key={listId}
        first={first}
        firstRows={firstRows}
        countries={listCountries()}
        isKnown={query.known !== undefined}
        actions={hasRole(ctx.role, 'editor') ? ACTIONS : null}
      />
    </Page>
  );
}
