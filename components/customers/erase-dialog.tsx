'use client';
import { useQuery } from '@tanstack/react-query';
import { useRouter } from 'next/navigation';
import { useState } from 'react';
import { Button } from '#components/ui/button.tsx';
import { Callout } from '#components/ui/callout.tsx';
import { Field } from '#components/ui/form/field.tsx';
import { Input } from '#components/ui/form/input.tsx';
import { Link } from '#components/ui/link.tsx';
import { Spinner } from '#components/ui/loading.tsx';
import { Dialog } from '#components/ui/overlay/dialog.tsx';
import { toast } from '#components/ui/overlay/toaster.tsx';
import type { ActionResult } from '#lib/identity/auth/action-types.ts';
import { describeErased } from '#components/live/customer-words.ts';

export interface EraseActions {
  previewErasing: (input: { id: string }) => Promise<ActionResult<ErasurePreview>>;
  erase: (input: { id: string }) => Promise<ActionResult<{ waiting_runs: number }>>;
}

interface ErasurePreview {
  counts: Readonly<Record<string, number>>;
  /** Workflows whose settings name the customer. */
  workflows: readonly { id: string; name: string; tasks: readonly string[] }[];
}

interface EraseDialogProps extends EraseActions {
  customerId: string;
  close: () => void;
}

/** What has to be typed, so that it does not happen by accident. */
const WORD = 'erase';

/** Shows what would be erased of a customer, and erases it once the word is typed. */
export function EraseDialog({ customerId: id, previewErasing, erase, close }: EraseDialogProps) {
  const router = useRouter();
  const [typed, setTyped] = useState('');
  const [isBusy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  const { data, isPending, error } = useQuery({
    queryKey: ['erasure', id],
    gcTime: 0,
    queryFn: () => previewErasing({ id }),
  });
  const known = data?.ok ? describeErased(data.data.counts) : undefined;
  const unread =
    data?.ok === false ? data.error.message : error && 'The server cannot be reached. Try again.';
  const isConfirmed = typed.trim().toLowerCase() === WORD;
  const submit = async () => {
    setBusy(true);
    const result = await erase({ id });
    setBusy(false);
    if (!result.ok) return setProblem(result.error.message);
    toast.success('The customer is being erased');
    close();
    router.push('/customers');
  };
  return (
    <Dialog
      open
      onOpenChange={close}
      title="Erase this customer?"
      description="Everything that is stored of them goes, and cannot be restored. A stop of messages still counts."
      footer={
        <>
          <Button onClick={close}>Cancel</Button>
          <Button
            variant="danger"
            loading={isBusy}
            disabled={!known || !isConfirmed}
            onClick={() => void submit()}
          >
            Erase customer
          </Button>
        </>
      }
    >
      <div className="flex flex-col gap-4">
        <div aria-live="polite" className="flex min-h-24 flex-col gap-3">
          {isPending && <Spinner label="Counting what is stored" />}
          {unread && <Callout tone="danger">{unread}</Callout>}
          {known && (
            <ul aria-label="What will be erased" className="list-disc columns-2 gap-x-8 pl-5">
              {known.map((words) => (
                <li key={words}>{words}</li>
              ))}
            </ul>
          )}
          {data?.ok && data.data.workflows.length > 0 && (
            <Callout tone="warning" title="Change these yourself">
              <p>The settings of these workflows have the number or user ID in them and stay as they are.</p>
              <ul className="mt-1 flex list-disc flex-col gap-1 pl-5">
                {data.data.workflows.map((workflow) => (
                  <li key={workflow.id} className="break-words">
                    <Link
                      href={`/workflows/${workflow.id}`}
                      className="text-accent underline hover:no-underline"
                    >
                      {workflow.name}
                    </Link>
                    : {workflow.tasks.join(', ')}
                  </li>
                ))}
              </ul>
            </Callout>
          )}
          <p className="text-muted">
            Also every other event and run with the number in it. Runs that wait for this customer are
            cancelled. Backups are not changed.
          </p>
        </div>
        <Field label={`Type “${WORD}” to confirm`} error={problem ?? undefined}>
          <Input
            value={typed}
            autoComplete="off"
            onChange={({ target }) => {
              setTyped(target.value);
              setProblem(null);
            }}
          />
        </Field>
      </div>
    </Dialog>
  );
}
