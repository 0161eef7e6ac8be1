'use client';
import { useQuery } from '@tanstack/react-query';
import { Send } from 'lucide-react';
import { type FormEvent, useState } from 'react';
import { fetchJson } from '#components/live/fetch-json.ts';
import type { ShownTemplate } from '#components/message-templates/shown-template.ts';
import { Button } from '#components/ui/button.tsx';
import { SandboxPhoneLink } from '#components/shell/sandbox-phone.tsx';
import { Callout } from '#components/ui/callout.tsx';
import { Card } from '#components/ui/card.tsx';
import { Field } from '#components/ui/form/field.tsx';
import { problemAt } from '#components/ui/form/form-values.ts';
import { Input } from '#components/ui/form/input.tsx';
import { SegmentedControl } from '#components/ui/form/segmented-control.tsx';
import { Select } from '#components/ui/form/select.tsx';
import { EXAMPLE_NUMBER } from '#lib/messaging/schema/number-words.ts';
import type { ActionError } from '#lib/identity/auth/action-types.ts';
import type { ConnectionActions } from './connection-actions-types.ts';
import { usePhoneNumbers } from './phone-numbers.tsx';

type Kind = 'template' | 'text';

/** Sends one message to test the connection. */
export function TestMessage({
  connectionId,
  send,
}: {
  connectionId: string;
  send: ConnectionActions['sendTestMessage'];
}) {
  const phones = usePhoneNumbers(connectionId);
  const [kind, setKind] = useState<Kind>('template');
  const [phone, setPhone] = useState('');
  const [recipient, setRecipient] = useState('');
  const [text, setText] = useState('');
  const [template, setTemplate] = useState('');
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<ActionError | null>(null);
  const [sentId, setSentId] = useState<string | null>(null);
  const templates = useSendableTemplates(connectionId, kind === 'template');
  const from = phone || (phones.data?.[0]?.id ?? '');
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    setBusy(true);
    const [templateName = '', language = ''] = template.split('|');
    const message = kind === 'text' ? { text } : { templateName, language };
    const result = await send({ id: connectionId, phoneNumberId: from, recipient, message });
    setBusy(false);
    setError(result.ok ? null : result.error);
    setSentId(result.ok ? result.data.messageId : null);
  };
  return (
    <Card title="Send a test message">
      <form noValidate onSubmit={(event) => void submit(event)} className="flex flex-col gap-4">
        {error && (
          <Callout tone="danger" live>
            {error.message}
          </Callout>
        )}
        {sentId && (
          <Callout tone="success" live title="Message accepted by the platform">
            <span className="font-mono text-xs break-all">{sentId}</span> <SandboxPhoneLink />
          </Callout>
        )}
        <div className="grid grid-cols-[repeat(auto-fit,minmax(min(13rem,100%),1fr))] gap-4">
          <Field label="From" error={problemAt(error, 'phoneNumberId')}>
            <Select
              value={from}
              onValueChange={setPhone}
              placeholder={phones.isPending ? 'Loading…' : 'Select a number'}
              options={(phones.data ?? []).map(
                ({ id, display_phone_number: number, verified_name: name }) => ({
                  value: id,
                  label: number,
                  description: name,
                }),
              )}
            />
          </Field>
          <Field label="To" help="With country code." error={problemAt(error, 'recipient')}>
            <Input
              type="tel"
              value={recipient}
              placeholder={EXAMPLE_NUMBER}
              onChange={(event) => setRecipient(event.target.value)}
            />
          </Field>
        </div>
        <SegmentedControl
          label="Message type"
          value={kind}
          onValueChange={setKind}
          options={[
            { value: 'template', label: 'Message template' },
            { value: 'text', label: 'Text' },
          ]}
          className="w-fit"
        />
        {kind === 'text' ? (
          <Field label="Text" help="Only delivered within 24 hours of the customer’s last message.">
            <Input value={text} onChange={(event) => setText(event.target.value)} />
          </Field>
        ) : (
          <Field
            label="Message template"
            help="Approved templates without parameters."
            error={templates.error?.message}
          >
            <Select
              value={template}
              onValueChange={setTemplate}
              placeholder={templates.isPending ? 'Loading…' : 'Select a message template'}
              options={(templates.data ?? []).map(({ name, language }) => ({
                value: `${name}|${language}`,
                label: name,
                description: language,
              }))}
            />
          </Field>
        )}
        <div>
          <Button type="submit" icon={<Send aria-hidden />} loading={busy}>
            Send
          </Button>
        </div>
      </form>
    </Card>
  );
}

const useSendableTemplates = (connectionId: string, enabled: boolean) =>
  useQuery({
    queryKey: ['message-templates', connectionId],
    queryFn: ({ signal }) =>
      fetchJson<ShownTemplate[]>(`/message-templates/list?connection=${connectionId}`, signal),
    enabled,
    select: (templates) => templates.filter(({ status, isPlain }) => status === 'APPROVED' && isPlain),
  });
