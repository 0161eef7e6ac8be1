'use client';
import { useCallback, useState } from 'react';
import type { StartLogin } from '#components/connections/connect-button.tsx';
import {
  type ChosenSender,
  SenderFields,
  type SenderFieldsProps,
} from '#components/connections/sender-fields.tsx';
import { Button } from '#components/ui/button.tsx';
import { Dialog } from '#components/ui/overlay/dialog.tsx';
import type { Starter } from '#lib/editor/starters/build.ts';

export interface StarterDialogProps {
  starter: Starter;
  /** The connection that was just created for it. */
  connectionId: string | undefined;
  busy: boolean;
  listOptions: SenderFieldsProps['listOptions'];
  startLogin: StartLogin;
  create: (sender: ChosenSender | undefined) => void;
  close: () => void;
}

/** Asks once for connection and number, for every task of the workflow. */
export function StarterDialog({
  starter,
  connectionId,
  busy,
  listOptions,
  startLogin,
  create,
  close,
}: StarterDialogProps) {
  const [sender, setSender] = useState<ChosenSender>();
  const onChange = useCallback((chosen: ChosenSender | undefined) => setSender(chosen), []);
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && close()}
      title={`Use “${starter.name}”`}
      description="Every message task of the workflow sends from here. You can change it in each task."
      footer={
        <>
          <Button variant="ghost" disabled={busy} onClick={() => create(undefined)}>
            Set up later
          </Button>
          <Button variant="primary" loading={busy} disabled={!sender} onClick={() => create(sender)}>
            Create workflow
          </Button>
        </>
      }
    >
      <SenderFields
        connectionId={connectionId}
        listOptions={listOptions}
        startLogin={startLogin}
        onChange={onChange}
      />
    </Dialog>
  );
}
