import { SearchX } from 'lucide-react';
import Link from 'next/link';
import { EmptyState, Page } from '#components/ui/page.tsx';
import { buttonClass } from '#components/ui/button-class.ts';

export default function StudioNotFound() {
  return (
    <Page narrow>
      <h1 className="sr-only">Not found</h1>
      <EmptyState
        icon={<SearchX />}
        title="Not found"
        actions={
          <Link href="/workflows" className={buttonClass({ variant: 'primary' })}>
            Go to Workflows
          </Link>
        }
      >
        It was deleted, belongs to another workspace, or the address is misspelled.
      </EmptyState>
    </Page>
  );
}
