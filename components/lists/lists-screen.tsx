'use client';
import { Download, ListPlus } from 'lucide-react';
import { HelpLink } from '#components/help/help-link.tsx';
import { useLiveList } from '#components/live/live-list.tsx';
import { ReadProblem } from '#components/live/read-problem.tsx';
import { inDigits } from '#components/reports/report-span.ts';
import { Button } from '#components/ui/button.tsx';
import { Callout } from '#components/ui/callout.tsx';
import { CodeBlock } from '#components/ui/code-block.tsx';
import { Link } from '#components/ui/link.tsx';
import { LoadMore } from '#components/ui/load-more.tsx';
import { EmptyState } from '#components/ui/page.tsx';
import { RelativeTime } from '#components/ui/relative-time.tsx';
import { Table, Td, Th, Tr } from '#components/ui/table.tsx';
import { saveFile } from '#components/workflows/download-text.ts';
import type { ListPage } from '#lib/screens/list-types.ts';
import type { List } from '#lib/lists/schema.ts';
import { ListUpload } from './list-upload.tsx';
import { ListStateBadge, StateBar, countEnded, countRows, countRuns, toCounts } from './list-states.tsx';

export interface ListsScreenProps {
  workflowId: string;
  firstPage: ListPage<List>;
  canEdit: boolean;
  /** A file that fits the workflow. */
  exampleFile: string;
  /** Whether lists can be started. */
  isActive: boolean;
}

/** The lists of a workflow, newest first, and the upload of another one. */
export function ListsScreen({ workflowId, firstPage, canEdit, exampleFile, isActive }: ListsScreenProps) {
  const path = `/workflows/${workflowId}/lists`;
  const list = useLiveList<List>(`${path}/list`, '', firstPage);
  return (
    <div className="flex flex-col gap-6">
      {!isActive && (
        <Callout tone="warning" title="This workflow is not active">
          Publish it and turn on Active in its editor before you start a list.
        </Callout>
      )}
      {canEdit && <ListUpload workflowId={workflowId} />}
      {list.error && <ReadProblem error={list.error} retry={list.refresh} />}
      {list.rows.length === 0 && !list.error ? (
        <Nothing canEdit={canEdit} exampleFile={exampleFile} />
      ) : (
        <div>
          <Table label="Lists">
            <thead>
              <tr>
                <Th>Name</Th>
                <Th className="max-sm:hidden">State</Th>
                <Th className="max-md:hidden">Uploaded</Th>
                <Th className="w-2/5 max-sm:hidden">Progress</Th>
              </tr>
            </thead>
            <tbody>
              {list.rows.map((row) => (
                <ListRow key={row.id} row={row} href={`${path}/${row.id}`} />
              ))}
            </tbody>
          </Table>
          <LoadMore
            hasMore={list.hasMore}
            loading={list.isLoadingMore}
            onLoadMore={list.loadMore}
            shown={list.rows.length === 1 ? '1 list' : `${list.rows.length} lists`}
          />
        </div>
      )}
      {list.rows.length > 0 && canEdit && <FileFormat exampleFile={exampleFile} />}
    </div>
  );
}

function ListRow({ row, href }: { row: List; href: string }) {
  const rows = countRuns(row.counts);
  const progress = (
    <>
      <StateBar counts={toCounts(row.counts)} className="h-1.5" />
      <span className="mt-1 block text-sm text-muted tabular-nums">
        {row.state === 'ready'
          ? countRows(rows)
          : `${inDigits(countEnded(row.counts))} of ${countRows(rows)}`}
        {row.counts.failed > 0 && `, ${inDigits(row.counts.failed)} failed`}
        {row.counts.skipped > 0 && `, ${inDigits(row.counts.skipped)} skipped`}
      </span>
    </>
  );
  return (
    <Tr className="relative">
      <Td className="max-w-0 max-sm:w-full sm:max-w-xs">
        <Link href={href} className="block truncate font-medium after:absolute after:inset-0 hover:underline">
          {row.name}
        </Link>
        <span className="text-sm text-muted md:hidden">
          <RelativeTime at={row.created_at} />
        </span>
        <div className="mt-1 sm:hidden">
          <ListStateBadge state={row.state} />
          <div className="mt-2">{progress}</div>
        </div>
      </Td>
      <Td className="w-32 align-top max-sm:hidden">
        <ListStateBadge state={row.state} />
      </Td>
      <Td className="w-36 align-top text-muted max-md:hidden">
        <RelativeTime at={row.created_at} />
      </Td>
      <Td className="align-top max-sm:hidden">{progress}</Td>
    </Tr>
  );
}

const Nothing = ({ canEdit, exampleFile }: { canEdit: boolean; exampleFile: string }) => (
  <EmptyState icon={<ListPlus />} title="No lists yet">
    <p>
      A list starts this workflow once for each row of a CSV file, for example to remind every customer of an
      appointment. Before anything is sent you see the messages, who is skipped and why, and what it costs.
    </p>
    {canEdit && (
      <div className="mt-5 text-left">
        <FileFormat exampleFile={exampleFile} />
      </div>
    )}
  </EmptyState>
);

/** The format of a file, with an example to download. */
const FileFormat = ({ exampleFile }: { exampleFile: string }) => (
  <section aria-labelledby="file-format" className="flex max-w-prose flex-col gap-2">
    <h2 id="file-format" className="font-semibold text-ink">
      What the file looks like
    </h2>
    <p className="text-muted">
      The first line has the names of the columns, each further line has one recipient. Numbers need a country
      code, or you choose a default country after the upload. Commas, semicolons and tabs work, and UTF-8.
    </p>
    <CodeBlock label="example file" code={exampleFile.trimEnd()} />
    <div className="flex flex-wrap items-center gap-4">
      <Button
        size="sm"
        icon={<Download aria-hidden />}
        onClick={() => saveFile(new Blob([`\uFEFF${exampleFile}`], { type: 'text/csv' }), 'example-list.csv')}
      >
        Download example
      </Button>
      <HelpLink page="lists">Lists</HelpLink>
    </div>
  </section>
);
