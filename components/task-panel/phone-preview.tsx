import { ExternalLink, FileText, Image, Phone, Reply, Video } from 'lucide-react';
import { previewTemplate, type PreviewValues } from '#lib/message-templates/schema/preview-template.ts';

const MEDIA = { IMAGE: Image, VIDEO: Video, DOCUMENT: FileText };
const BUTTONS = { QUICK_REPLY: Reply, URL: ExternalLink, PHONE_NUMBER: Phone };

/** A message template as the customer's phone will show it, with the values of the sample. */
export function PhonePreview({
  components,
  values,
}: {
  components: readonly unknown[];
  values: PreviewValues;
}) {
  const { header, body, footer, buttons } = previewTemplate(components, values);
  const Media = header && header.format !== 'TEXT' ? MEDIA[header.format] : undefined;
  return (
    <figure aria-label="The message on the phone" className="rounded-lg bg-success-soft p-3">
      <div className="max-w-72 overflow-hidden rounded-lg bg-raised text-sm shadow-raised">
        <div className="flex flex-col gap-1 p-2.5">
          {Media && (
            <span className="flex h-24 items-center justify-center rounded-md bg-hover text-muted">
              <Media aria-label={header?.format.toLowerCase()} className="size-6" />
            </span>
          )}
          {header?.format === 'TEXT' && <p className="font-semibold break-words">{header.text}</p>}
          <p className="break-words whitespace-pre-wrap">{body}</p>
          {footer !== null && <p className="text-xs text-muted">{footer}</p>}
        </div>
        {buttons.map(({ type, text, target }, index) => {
          const Icon = BUTTONS[type];
          return (
            <p
              key={index}
              title={target ?? undefined}
              className="flex items-center justify-center gap-1.5 border-t border-line p-2 font-medium text-accent [&_svg]:size-3.5"
            >
              <Icon aria-hidden />
              {text}
            </p>
          );
        })}
      </div>
    </figure>
  );
}
