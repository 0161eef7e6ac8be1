'use client';
import { useQuery } from '@tanstack/react-query';
import { useDeferredValue } from 'react';
import { useEditorContext } from '#components/editor/editor-context.tsx';
import { usePanel } from '#components/task-panel/panel-context.tsx';
import { PickerField } from '#components/task-panel/picker-field.tsx';
import type { SettingFieldProps } from '#components/task-panel/setting-field-props.ts';
import { isVariableText } from '#components/task-panel/setting-text.ts';
import { usePicked } from '#components/task-panel/use-picker-options.ts';
import { Callout } from '#components/ui/callout.tsx';
import { Instant, RelativeTime } from '#components/ui/relative-time.tsx';
import { renderPreview } from '#lib/editor/canvas/sample-scope.ts';
import type { CustomerWindow } from '#lib/messaging/sending/find-window.ts';

/** The fallback template, below the state of the 24-hour window of the sample's customer. */
export const FallbackField = (props: SettingFieldProps) => (
  <div className="flex flex-col gap-3">
    <WindowCallout fallback={props.value} />
    <PickerField {...props} picks={{ from: 'message_template' }} />
  </div>
);

const FRESH_MS = 30_000;

const FALLBACK_WORDS = {
  chosen: {
    open: 'After that, the fallback template is sent instead.',
    closed: 'The fallback template is sent instead.',
    unknown: 'Otherwise the fallback template is sent.',
  },
  missing: {
    open: 'Select a fallback template to send after that.',
    closed: 'Select a fallback template to send instead, or this task fails.',
    unknown: 'Select a fallback template to send otherwise.',
  },
};

/** Whether a text can be sent to the sample's customer now, and what is sent otherwise. */
function WindowCallout({ fallback }: { fallback: unknown }) {
  const window = useSampleWindow();
  const hasFallback = typeof fallback === 'string' && fallback !== '';
  const isRefused = window?.state === 'closed' && !hasFallback;
  return (
    <Callout tone={isRefused ? 'warning' : window?.state === 'open' ? 'success' : 'info'}>
      <p data-window={window?.state ?? 'any'}>
        <WindowWords window={window} />{' '}
        {FALLBACK_WORDS[hasFallback ? 'chosen' : 'missing'][window?.state ?? 'unknown']}
      </p>
    </Callout>
  );
}

function WindowWords({ window }: { window: CustomerWindow | null | undefined }) {
  const { recipient } = usePanel().task.settings;
  const customer = window?.customer ?? '';
  const who = isVariableText(recipient) ? `The sample’s customer, ${customer},` : customer;
  if (!window || window.lastMessageAt === null || window.closesAt === null) {
    const start = window ? `${who} has not written to this number as far as known. ` : '';
    return `${start}Texts can only be sent within 24 hours after the customer’s last message.`;
  }
  return (
    <>
      {who} last wrote <RelativeTime at={window.lastMessageAt} />:{' '}
      {window.state === 'open' ? 'texts can be sent until ' : 'texts could be sent until '}
      <Instant at={window.closesAt} />.
    </>
  );
}

/** For the sending number and the sample's recipient; undefined while one of them is unknown. */
function useSampleWindow(): CustomerWindow | null | undefined {
  const { editor, actions } = useEditorContext();
  const { task, values, canEdit } = usePanel();
  const phoneNumberId = usePicked('phone_number');
  const { recipient } = task.settings;
  const rendered = renderPreview(typeof recipient === 'string' ? recipient : '', values.scope);
  const text = useDeferredValue(rendered.kind === 'text' ? rendered.text : '');
  const { data } = useQuery({
    queryKey: ['window', phoneNumberId, text],
    enabled: canEdit && phoneNumberId !== undefined && text !== '',
    staleTime: FRESH_MS,
    queryFn: async () => {
      const result = await actions.findWindow({
        id: editor.workflowId,
        phoneNumberId: phoneNumberId ?? '',
        recipient: text,
      });
      if (!result.ok) throw new Error(result.error.message);
      return result.data;
    },
  });
  return data;
}
