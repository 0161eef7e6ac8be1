'use client';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useEditorContext } from '#components/editor/editor-context.tsx';
import { Button } from '#components/ui/button.tsx';
import { Checkbox } from '#components/ui/checkbox.tsx';
import { Field } from '#components/ui/field.tsx';
import { Input } from '#components/ui/input.tsx';
import { Select } from '#components/ui/select.tsx';
import type { MessageFilter } from '#lib/messaging/connections/message-source-types.ts';
import { MESSAGE_KINDS, type MessageKind } from '#lib/messaging/schema/subscription-kinds.ts';

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
const ALL: MessageFilter = { phoneNumberId: null, messageKinds: [], words: [] };

export interface MessageFilterFormProps {
  connectionId: string;
  /** Null: messages of the connection do not start the workflow yet. */
  filter: MessageFilter | null;
  busy: boolean;
  save: (filter: MessageFilter) => void;
  stop: () => void;
}

/** Which messages of a connection start the workflow. */
export function MessageFilterForm({ connectionId, filter, busy, save, stop }: MessageFilterFormProps) {
  const { editor } = useEditorContext();
  const saved = filter ?? ALL;
  const [phoneNumberId, setPhoneNumberId] = useState(saved.phoneNumberId);
  const [messageKinds, setMessageKinds] = useState(saved.messageKinds);
  const [words, setWords] = useState(saved.words.join(', '));
  const next: MessageFilter = { phoneNumberId, messageKinds, words: readWords(words) };
  const isChanged = JSON.stringify(next) !== JSON.stringify(saved);
  const setKind = (kind: MessageKind, isWanted: boolean) =>
    setMessageKinds(MESSAGE_KINDS.filter((each) => (each === kind ? isWanted : messageKinds.includes(each))));
  return (
    <form
      className="flex flex-col gap-4"
      onSubmit={(event) => {
        event.preventDefault();
        save(next);
      }}
    >
      <NumberField connectionId={connectionId} value={phoneNumberId} onChange={setPhoneNumberId} />
      <fieldset>
        <legend className="mb-1.5 text-sm font-medium">Kinds of messages</legend>
        <div className="grid gap-x-3 gap-y-1.5 sm:grid-cols-2">
          {MESSAGE_KINDS.map((kind) => (
            <Checkbox
              key={kind}
              label={KIND_LABELS[kind]}
              disabled={!editor.canEdit || busy}
              checked={messageKinds.includes(kind)}
              onCheckedChange={(checked) => setKind(kind, checked)}
            />
          ))}
        </div>
        <p className="mt-1.5 text-sm text-muted">
          {messageKinds.length === 0 ? 'None selected: messages of every kind.' : 'Only these kinds.'}
        </p>
      </fieldset>
      <Field
        label="Words"
        help="Separate them with commas. The message must contain one of them as a whole word, in upper or lower case. Empty: any message."
      >
        <Input
          value={words}
          onChange={(event) => setWords(event.target.value)}
          placeholder="stop, cancel, opt out"
          disabled={!editor.canEdit || busy}
        />
      </Field>
      {editor.canEdit && (
        <div className="flex flex-wrap gap-2">
          {filter === null ? (
            <Button type="submit" variant="primary" loading={busy}>
              Start on messages
            </Button>
          ) : (
            <>
              <Button type="submit" loading={busy} disabled={!isChanged}>
                Save
              </Button>
              <Button type="button" variant="ghost" disabled={busy} onClick={stop}>
                Stop
              </Button>
            </>
          )}
        </div>
      )}
    </form>
  );
}

function NumberField({
  connectionId,
  value,
  onChange,
}: {
  connectionId: string;
  value: string | null;
  onChange: (phoneNumberId: string | null) => void;
}) {
  const { editor, actions } = useEditorContext();
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
  const options = (data ?? []).map(({ value: id, label, detail }) => ({
    value: id,
    label,
    ...(detail === undefined ? {} : { description: detail }),
  }));
  const isListed = value === null || options.some((option) => option.value === value);
  return (
    <Field label="Number" error={error?.message}>
      <Select
        value={value ?? ANY_NUMBER}
        disabled={!editor.canEdit}
        onValueChange={(next) => onChange(next === ANY_NUMBER ? null : next)}
        options={[
          { value: ANY_NUMBER, label: 'Any number of this connection' },
          ...options,
          ...(isListed ? [] : [{ value, label: value }]),
        ]}
      />
    </Field>
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
