'use client';
import { Plus, Upload } from 'lucide-react';
import { usePathname, useRouter } from 'next/navigation';
import { Suspense, useState } from 'react';
import { Button } from '#components/ui/button.tsx';
import { onDemand } from '#components/ui/on-demand.tsx';
import type { WorkflowActions } from './workflow-actions-types.ts';

const CreateDialog = onDemand(async () => (await import('./create-dialog.tsx')).CreateDialog);
const ImportDialog = onDemand(async () => (await import('./import-dialog.tsx')).ImportDialog);

type Opened = 'create' | 'import' | null;

export interface NewWorkflowButtonsProps {
  actions: WorkflowActions;
  /** A dialog opened by the URL. */
  initiallyOpen: Opened;
}

/** Buttons for new workflows; `?create=1` and `?import=1` open the dialogs. */
export function NewWorkflowButtons({ actions, initiallyOpen }: NewWorkflowButtonsProps) {
  const [clicked, setClicked] = useState<Opened>(null);
  const router = useRouter();
  const pathname = usePathname();
  const opened = clicked ?? initiallyOpen;
  const setOpen = (which: Opened) => (open: boolean) => {
    setClicked(open ? which : null);
    if (!open && initiallyOpen) router.replace(pathname);
  };
  return (
    <>
      <Button
        icon={<Upload aria-hidden />}
        onPointerEnter={ImportDialog.preload}
        onClick={() => setClicked('import')}
      >
        Import
      </Button>
      <Button
        variant="primary"
        icon={<Plus aria-hidden />}
        onPointerEnter={CreateDialog.preload}
        onClick={() => setClicked('create')}
      >
        Create
      </Button>
      <Suspense>
        {opened === 'create' && (
          <CreateDialog
            onOpenChange={setOpen('create')}
            onDismiss={() => setOpen('create')(false)}
            createBlank={actions.createBlank}
          />
        )}
        {opened === 'import' && (
          <ImportDialog
            onOpenChange={setOpen('import')}
            onDismiss={() => setOpen('import')(false)}
            checkImportText={actions.checkImportText}
            importText={actions.importText}
            listOptions={actions.listOptions}
            startLogin={actions.startLogin}
          />
        )}
      </Suspense>
    </>
  );
}
