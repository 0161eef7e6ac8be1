'use client';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { ConnectButton } from '#components/connections/connect-button.tsx';
import { useEditorContext } from '#components/editor/editor-context.tsx';
import { usePanel } from '#components/task-panel/panel-context.tsx';
import { Field } from '#components/ui/field.tsx';
import { Select } from '#components/ui/select.tsx';
import { Spinner } from '#components/ui/spinner.tsx';
import { toast } from '#components/ui/toaster.tsx';
import type { ActionResult } from '#lib/identity/auth/action-types.ts';
import type { MessageFilter, MessageSource } from '#lib/messaging/connections/message-source-types.ts';
import { MessageFilterForm } from './message-filter-form.tsx';
import { messageSourcesKey, useMessageSources } from './use-message-sources.ts';

/** Whose messages start the workflow: connection, number, kinds and words. */
export function MessageTrigger() {
  const sources = useMessageSources();
  const [picked, setPicked] = useState<string>();
  if (!sources) return <Spinner />;
  const source =
    sources.find(({ id }) => id === picked) ?? sources.find(({ filter }) => filter !== null) ?? sources[0];
  if (!source) return <NoConnection />;
  const others = sources.filter(({ id, filter }) => filter !== null && id !== source.id);
  return (
    <div className="flex flex-col gap-4">
      <Field label="Connection">
        <Select
          value={source.id}
          onValueChange={setPicked}
          options={sources.map(({ id, name, filter }) => ({
            value: id,
            label: name,
            ...(filter === null ? {} : { description: 'Starts this workflow' }),
          }))}
        />
      </Field>
      <OfConnection key={source.id} source={source} />
      {others.length > 0 && (
        <p className="text-sm text-muted">
          Messages of {others.map(({ name }) => name).join(', ')} start this workflow, too.
        </p>
      )}
    </div>
  );
}

function NoConnection() {
  const { editor, actions, flush } = useEditorContext();
  const { task } = usePanel();
  const startLogin = async ({ id }: { id?: string | undefined }) => {
    await flush();
    return actions.startLogin({ id, origin: { workflowId: editor.workflowId, taskId: task.id } });
  };
  return (
    <div className="flex flex-col items-start gap-2 rounded-lg border border-line p-3">
      <p className="text-sm text-muted">
        Sign in to the messaging platform and select the business account that customers write to. You return
        to this task.
      </p>
      {editor.canEdit && <ConnectButton startLogin={startLogin} size="sm" />}
    </div>
  );
}

function OfConnection({ source: { id, name, filter } }: { source: MessageSource }) {
  const { editor, actions } = useEditorContext();
  const client = useQueryClient();
  const [busy, setBusy] = useState(false);
  const target = { id: editor.workflowId, connectionId: id };
  const run = async (work: () => Promise<ActionResult<void>>, done: string) => {
    setBusy(true);
    const result = await work();
    await client.invalidateQueries({ queryKey: messageSourcesKey(editor.workflowId) });
    setBusy(false);
    if (result.ok) toast.success(done);
    else toast.error(result.error.message);
  };
  const save = (next: MessageFilter) =>
    run(
      () => actions.subscribeToMessages({ ...target, filter: next }),
      filter === null ? `Subscribed to messages of ${name}.` : 'Saved.',
    );
  return (
    <MessageFilterForm
      key={JSON.stringify(filter)}
      connectionId={id}
      filter={filter}
      busy={busy}
      save={(next) => void save(next)}
      stop={() =>
        void run(() => actions.stopMessages(target), `Messages of ${name} no longer start this workflow.`)
      }
    />
  );
}
