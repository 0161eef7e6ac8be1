'use client';
import { useQuery } from '@tanstack/react-query';
import { MessageSquareText, Plus, RefreshCw } from 'lucide-react';
import Link from 'next/link';
import { useState } from 'react';
import { fetchJson } from '#components/live/fetch-json.ts';
import { type Filters, useFilters } from '#components/live/use-filters.ts';
import { Button } from '#components/ui/button.tsx';
import { buttonClass } from '#components/ui/button-class.ts';
import { Callout } from '#components/ui/callout.tsx';
import { HelpLink } from '#components/help/help-link.tsx';
import { EmptyState, PageHeader } from '#components/ui/page.tsx';
import { SearchInput } from '#components/ui/form/input.tsx';
import { Select } from '#components/ui/form/select.tsx';
import { Skeleton } from '#components/ui/loading.tsx';
import type { ShownTemplate } from './shown-template.ts';
import { TemplateDialog, type TemplateDialogProps } from './template-dialog.tsx';
import { codeTitle } from '#lib/messaging/schema/number-words.ts';
import { TemplatesTable } from './templates-table.tsx';

export interface ConnectionChoice {
  id: string;
  name: string;
  /** The business account's name; null: it has none. */
  account: string | null;
}

const ANY = 'any';
const PENDING_POLL_MS = 5000;
/** Statuses change on the platform: templates are paused, reinstated and deleted there. */
const POLL_MS = 30_000;

/** The message templates of one connection, read from the platform now. */
export function TemplatesScreen({
  connections,
  canEdit,
  remove,
}: {
  connections: readonly ConnectionChoice[];
  canEdit: boolean;
  remove: TemplateDialogProps['remove'];
}) {
  const filters = useFilters();
  const [shown, setShown] = useState<ShownTemplate | null>(null);
  const asked = filters.get('connection');
  const connection = connections.find(({ id }) => id === asked) ?? connections[0];
  const templates = useTemplates(connection?.id ?? '');
  const rows = (templates.data ?? []).filter(
    (template) =>
      (!filters.get('status') || template.status === filters.get('status')) &&
      isFound(template, filters.get('search') ?? ''),
  );
  const statuses = [...new Set((templates.data ?? []).map(({ status }) => status))].sort();
  return (
    <>
      <PageHeader
        title="Message templates"
        description="Texts approved by the platform. You can send them at any time, even outside the 24-hour window."
        actions={
          canEdit &&
          connection && (
            <Link
              href={`/message-templates/new?connection=${connection.id}`}
              className={buttonClass({ variant: 'primary' })}
            >
              <Plus aria-hidden /> New message template
            </Link>
          )
        }
      />
      <Bar
        filters={filters}
        connections={connections}
        connectionId={connection?.id ?? ''}
        statuses={statuses}
        isFetching={templates.isFetching}
        reload={() => void templates.refetch()}
      />
      <ChosenCategory filters={filters} />
      {templates.error ? (
        <Callout
          tone="danger"
          live
          title="The message templates could not be loaded"
          actions={
            connection && (
              <Link href={`/connections/${connection.id}`} className={buttonClass()}>
                Check the connection
              </Link>
            )
          }
        >
          {templates.error.message}
        </Callout>
      ) : templates.isPending ? (
        <Loading />
      ) : rows.length === 0 ? (
        <Empty isFiltered={templates.data.length > 0} clear={filters.clear} />
      ) : (
        <TemplatesTable rows={rows} onSelect={setShown} />
      )}
      {shown && connection && (
        <TemplateDialog
          template={shown}
          connection={connection}
          canEdit={canEdit}
          remove={remove}
          close={() => setShown(null)}
          onRemoved={() => void templates.refetch()}
        />
      )}
    </>
  );
}

/** After a template was created: the platform may have chosen another category than the requested one. */
function ChosenCategory({ filters }: { filters: Filters }) {
  const [made, asked, category] = ['made', 'asked', 'category'].map((name) => filters.get(name));
  if (!made || !asked || !category) return null;
  return (
    <div className="mb-4">
      <Callout
        tone="warning"
        live
        title={`You asked for ${codeTitle(asked)}, the platform made it ${codeTitle(category)}`}
        actions={
          <Button
            size="sm"
            onClick={() => filters.set({ made: undefined, asked: undefined, category: undefined })}
          >
            Dismiss
          </Button>
        }
      >
        {category === 'MARKETING'
          ? `Messages with “${made}” are charged as marketing, and customers who stopped marketing messages do not get them.`
          : `Messages with “${made}” are charged as ${codeTitle(category).toLowerCase()}.`}
      </Callout>
    </div>
  );
}

const useTemplates = (connectionId: string) =>
  useQuery({
    queryKey: ['message-templates', connectionId],
    queryFn: ({ signal }) =>
      fetchJson<ShownTemplate[]>(`/message-templates/list?connection=${connectionId}`, signal),
    refetchInterval: ({ state }) =>
      state.data?.some(({ status }) => status === 'PENDING') ? PENDING_POLL_MS : POLL_MS,
  });

const isFound = ({ name, preview }: ShownTemplate, search: string): boolean => {
  const wanted = search.trim().toLowerCase();
  return wanted === '' || `${name} ${JSON.stringify(preview)}`.toLowerCase().includes(wanted);
};

function Bar({
  filters,
  connections,
  connectionId,
  statuses,
  isFetching,
  reload,
}: {
  filters: Filters;
  connections: readonly ConnectionChoice[];
  connectionId: string;
  statuses: readonly string[];
  isFetching: boolean;
  reload: () => void;
}) {
  return (
    <div role="search" className="mb-4 grid grid-cols-2 gap-2 sm:flex sm:flex-wrap">
      <Select
        aria-label="Connection"
        value={connectionId}
        onValueChange={(connection) => filters.set({ connection })}
        options={connections.map(({ id, name, account }) => ({
          value: id,
          label: name,
          ...(account && account !== name ? { description: account } : {}),
        }))}
        className="max-sm:col-span-2 sm:w-56"
      />
      <div className="col-span-2 sm:w-64">
        <SearchInput
          label="Name or text"
          value={filters.get('search') ?? ''}
          onChange={(search) => filters.set({ search: search || undefined })}
        />
      </div>
      <Select
        aria-label="Status"
        value={filters.get('status') ?? ANY}
        onValueChange={(status) => filters.set({ status: status === ANY ? undefined : status })}
        options={[
          { value: ANY, label: 'Any status' },
          ...statuses.map((status) => ({ value: status, label: codeTitle(status) })),
        ]}
        className="sm:w-40"
      />
      <Button icon={<RefreshCw aria-hidden />} loading={isFetching} onClick={reload}>
        Reload
      </Button>
    </div>
  );
}

const Loading = () => (
  <div className="flex flex-col gap-2">
    {Array.from({ length: 6 }, (_, index) => (
      <Skeleton key={index} className="h-12 w-full" />
    ))}
  </div>
);

const Empty = ({ isFiltered, clear }: { isFiltered: boolean; clear: () => void }) =>
  isFiltered ? (
    <EmptyState
      icon={<MessageSquareText />}
      title="No message template matches"
      actions={<Button onClick={clear}>Clear filters</Button>}
    >
      Try another status or search term.
    </EmptyState>
  ) : (
    <EmptyState icon={<MessageSquareText />} title="No message templates yet">
      <p>Create one. Once approved, workflows can send it at any time.</p>
      <p className="mt-2">
        <HelpLink page="templates">How message templates work</HelpLink>
      </p>
    </EmptyState>
  );
