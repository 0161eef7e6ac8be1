'use client';
import { useQuery } from '@tanstack/react-query';
import { fetchJson } from '#components/live/fetch-json.ts';
import { PhonePreview } from '#components/phone/phone-preview.tsx';
import type { TemplatePreview } from '#lib/messaging/message-templates/schema/preview-template.ts';
import type { CapturedMessage } from './read-captured.ts';

/** A captured message as on the customer's phone. */
export function CapturedMessage({ message }: { message: CapturedMessage }) {
  const { template } = message;
  const { data } = useQuery({
    queryKey: ['template-preview', template?.query],
    queryFn: ({ signal }) =>
      fetchJson<TemplatePreview>(`/message-templates/preview?${template?.query ?? ''}`, signal),
    enabled: template !== undefined,
    staleTime: 60_000,
    retry: false,
  });
  return (
    <div className="flex flex-col gap-2">
      <p className="text-sm text-muted">
        Message to <span className="font-mono">{message.recipient}</span>
        {template && (
          <>
            {' '}
            · message template <span className="font-mono">{template.name}</span>
          </>
        )}
      </p>
      <PhonePreview message={data ?? message.preview} senderName="Your business" />
    </div>
  );
}
