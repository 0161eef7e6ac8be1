'use client';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useEditor, useEditorContext } from '#components/editor/editor-context.tsx';
import { HelpLink } from '#components/help/help-link.tsx';
import { useFieldWords } from '#components/task-panel/field-words.tsx';
import { Listen, type ListenWords } from '#components/task-panel/listen.tsx';
import { useChangeSettings, usePanel } from '#components/task-panel/panel-context.tsx';
import { AnswersCallout } from '#components/task-panel/task-types/messaging-business/answers-callout.tsx';
import type { SettingFields } from '#components/task-panel/task-types/task-look.ts';
import { CodeBlock } from '#components/ui/code-block.tsx';
import { Checkbox } from '#components/ui/form/checkbox.tsx';
import { Field } from '#components/ui/form/field.tsx';
import { Input } from '#components/ui/form/input.tsx';
import { Select } from '#components/ui/form/select.tsx';
import { PayloadDrift } from '#components/workflows/payload-drift.tsx';
import { MESSAGE_KINDS, type MessageKind } from '#lib/messaging/schema/subscription-kinds.ts';
import { messageStartShape } from '#lib/tasks/message-trigger/message-start.ts';
import { readMessageStart } from '#lib/tasks/message-trigger/read-message-start.ts';

// The messages that start the workflow are above its other settings.

const START_FIELDS = Object.keys(messageStartShape);

/** Messages have no caller to respond to. The URLs work, too: what was set for their callers before stays in view. */
const RESPONSE_FIELDS = ['response_type', 'response_body', 'response_format', 'redirect_url'];

const LISTEN_WORDS: ListenWords = {
  title: 'Messages',
  empty:
    'No messages yet. Write to the number from a phone: the message appears here right away. Until the workflow is published, it runs nothing.',
};

/** Which messages start the workflow, and those that arrive. */
export function MessageForm({ Fields }: { Fields: SettingFields }) {
  const editor = useEditor();
  const { response_type: type = 'immediate' } = usePanel().task.settings;
  return (
    <>
      <MessageTrigger Fields={Fields} />
      <p>
        <HelpLink page="conversations">Conversations: ask and wait</HelpLink>
      </p>
      {editor.canEdit && <Dashboard />}
      <PayloadDrift workflowId={editor.workflowId} />
      {editor.canEdit && <Listen words={LISTEN_WORDS} />}
      <Fields hidden={[...START_FIELDS, ...(type === 'immediate' ? RESPONSE_FIELDS : [])]} />
    </>
  );
}

/** Values for the platform's dashboard, where no connection can be subscribed. */
function Dashboard() {
  const { production, verifyToken } = useEditor().urls;
  return (
    <details>
      <summary className="cursor-pointer text-sm font-medium">Use the platform’s dashboard instead</summary>
      <div className="mt-2 flex flex-col gap-2">
        <p className="text-sm text-muted">
          Enter these as callback URL and verify token. Each notification runs the workflow with the same
          fields, whatever is selected above.
        </p>
        <CodeBlock label="callback URL" code={production} wrap />
        <CodeBlock label="verify token" code={verifyToken} wrap />
      </div>
    </details>
  );
}

const KIND_LABELS: Record<MessageKind, string> = {
  text: 'Text',
  button: 'Button or list tap',
  media: 'Image, video, audio, file',
  location: 'Location',
  contacts: 'Contact',
  reaction: 'Reaction',
  order: 'Order',
  form: 'Filled-in form',
  other: 'Anything else',
};

const ANY_NUMBER = 'any';

/** Which messages start the workflow: connection, number, types and keywords. Publishing applies them. */
function MessageTrigger({ Fields }: { Fields: SettingFields }) {
  const { settings } = usePanel().task;
  const start = readMessageStart(settings);
  return (
    <>
      <Fields only={['app_connection_id']} />
      {start && (
        <>
          <AnswersCallout what="Messages" />
          <NumberField connectionId={start.connectionId} value={start.phoneNumberId} />
          <KindsField kinds={start.messageKinds} />
          <WordsField words={start.words} />
          <Fields only={['in_conversations', 'beside_others']} />
        </>
      )}
    </>
  );
}

function NumberField({ connectionId, value }: { connectionId: string; value: string | null }) {
  const { actions } = useEditorContext();
  const { canEdit } = usePanel();
  const change = useChangeSettings();
  const query = { kind: 'phone_number' as const, connectionId };
  const { data, error } = useQuery({
    queryKey: ['picker', query],
    staleTime: 60_000,
    queryFn: async () => {
      const result = await actions.listOptions(query);
      if (!result.ok) throw new Error(result.error.message);
      return result.data;
    },
  });
  const words = useFieldWords('settings.phone_number_id', undefined);
  const options = (data ?? []).map(({ value: id, label, detail }) => ({
    value: id,
    label,
    ...(detail === undefined ? {} : { description: detail }),
  }));
  const isListed = value === null || options.some((option) => option.value === value);
  return (
    <div data-field="settings.phone_number_id">
      <Field label="Number" {...words} error={error?.message ?? words.error}>
        <Select
          value={value ?? ANY_NUMBER}
          disabled={!canEdit}
          onValueChange={(next) => change({ phone_number_id: next === ANY_NUMBER ? undefined : next })}
          options={[
            { value: ANY_NUMBER, label: 'Any number of this connection' },
            ...options,
            ...(isListed ? [] : [{ value, label: value }]),
          ]}
        />
      </Field>
    </div>
  );
}

function KindsField({ kinds }: { kinds: readonly MessageKind[] }) {
  const { canEdit } = usePanel();
  const change = useChangeSettings();
  const setKind = (kind: MessageKind, isWanted: boolean) => {
    const next = MESSAGE_KINDS.filter((each) => (each === kind ? isWanted : kinds.includes(each)));
    change({ message_kinds: next.length === 0 ? undefined : next });
  };
  return (
    <fieldset data-field="settings.message_kinds">
      <legend className="mb-1.5 text-sm font-medium">Kinds of messages</legend>
      <div className="grid gap-x-3 gap-y-1.5 sm:grid-cols-2">
        {MESSAGE_KINDS.map((kind) => (
          <Checkbox
            key={kind}
            label={KIND_LABELS[kind]}
            disabled={!canEdit}
            checked={kinds.includes(kind)}
            onCheckedChange={(checked) => setKind(kind, checked)}
          />
        ))}
      </div>
      <p className="mt-1.5 text-sm text-muted">
        {kinds.length === 0 ? 'None selected: messages of every kind.' : 'Only these kinds.'}
      </p>
    </fieldset>
  );
}

function WordsField({ words }: { words: readonly string[] }) {
  const { canEdit } = usePanel();
  const change = useChangeSettings();
  const [typed, setTyped] = useState(words.join(', '));
  // The typed text keeps its commas and spaces; after an undo the list differs.
  const isTyped = JSON.stringify(readWords(typed)) === JSON.stringify(words);
  return (
    <div data-field="settings.words">
      <Field
        label="Words"
        {...useFieldWords(
          'settings.words',
          'Separate them with commas. The message must contain one of them as a whole word, in upper or lower case. Empty: any message.',
        )}
      >
        <Input
          value={isTyped ? typed : words.join(', ')}
          onChange={({ target }) => {
            const next = readWords(target.value);
            setTyped(target.value);
            change({ words: next.length === 0 ? undefined : next });
          }}
          placeholder="stop, cancel, opt out"
          readOnly={!canEdit}
        />
      </Field>
    </div>
  );
}

const readWords = (text: string): string[] => [
  ...new Set(
    text
      .split(',')
      .map((word) => word.trim())
      .filter(Boolean),
  ),
];
