import {
  Copy,
  ExternalLink,
  FileText,
  Image,
  MapPin,
  Phone,
  Reply,
  SquareArrowOutUpRight,
  Video,
} from 'lucide-react';
import type { ReactNode } from 'react';
import type { TemplatePreview } from '#lib/messaging/message-templates/schema/preview-template.ts';

export interface PhonePreviewProps {
  /** The message for the customer (`previewTemplate` creates it from a message template). */
  message: TemplatePreview;
  /** Name of the sender. */
  senderName: string;
}

/** A message as on the customer's phone. */
export const PhonePreview = ({ message, senderName }: PhonePreviewProps) => (
  <figure
    aria-label="Preview on a phone"
    className="mx-auto w-full max-w-80 overflow-hidden rounded-[2rem] border-8 border-ink/85 bg-canvas shadow-overlay dark:border-line-strong"
  >
    <figcaption className="flex items-center gap-2.5 bg-accent px-4 py-3 text-accent-ink">
      <span
        aria-hidden
        className="flex size-8 items-center justify-center rounded-full bg-accent-ink/20 font-semibold"
      >
        {senderName.slice(0, 1).toUpperCase()}
      </span>
      <span className="truncate font-semibold">{senderName}</span>
    </figcaption>
    <div className="flex min-h-48 flex-col gap-1 p-3">
      <Bubble message={message} />
      {message.cards && (
        <ul aria-label="Cards" tabIndex={0} className="mt-1 flex gap-2 overflow-x-auto pb-2">
          {message.cards.map((card, index) => (
            <li key={index} className="flex w-52 shrink-0 flex-col gap-1">
              <Bubble message={card} />
            </li>
          ))}
        </ul>
      )}
    </div>
  </figure>
);

/** A message or a card of it, with its buttons. */
const Bubble = ({ message }: { message: TemplatePreview }) => (
  <>
    <div className="max-w-full self-start overflow-hidden rounded-lg rounded-tl-none bg-raised shadow-raised">
      {message.header && <Header header={message.header} />}
      <div className="px-3 py-2">
        {message.offer !== undefined && (
          <p className="mb-1.5 border-b border-line pb-1.5 font-semibold break-words">{message.offer}</p>
        )}
        {message.body ? (
          <p className="break-words whitespace-pre-wrap">
            <Formatted text={message.body} />
          </p>
        ) : (
          <p className="text-muted italic">Message text</p>
        )}
        {message.footer && <p className="mt-1.5 text-sm break-words text-muted">{message.footer}</p>}
        <p className="mt-0.5 text-right text-xs text-muted">12:30</p>
      </div>
    </div>
    {message.buttons.map((button, index) => (
      <Button key={index} button={button} />
    ))}
  </>
);

const MEDIA = { IMAGE: Image, VIDEO: Video, DOCUMENT: FileText, LOCATION: MapPin };
const MEDIA_WORDS = { IMAGE: 'Picture', VIDEO: 'Video', DOCUMENT: 'Document', LOCATION: 'Location' };

function Header({ header }: { header: NonNullable<TemplatePreview['header']> }) {
  if (header.format === 'TEXT') {
    return <p className="px-3 pt-2 font-semibold break-words">{header.text}</p>;
  }
  const Icon = MEDIA[header.format];
  return (
    <div className="flex aspect-video w-full min-w-56 flex-col items-center justify-center gap-1 bg-hover text-muted">
      <Icon aria-hidden className="size-8" />
      <span className="text-sm">{MEDIA_WORDS[header.format]}</span>
    </div>
  );
}

const BUTTON_ICONS: Record<TemplatePreview['buttons'][number]['type'], ReactNode> = {
  QUICK_REPLY: <Reply aria-hidden className="size-4" />,
  URL: <ExternalLink aria-hidden className="size-4" />,
  PHONE_NUMBER: <Phone aria-hidden className="size-4" />,
  COPY_CODE: <Copy aria-hidden className="size-4" />,
  OTHER: <SquareArrowOutUpRight aria-hidden className="size-4" />,
};

const Button = ({ button }: { button: TemplatePreview['buttons'][number] }) => (
  <div
    title={button.target ?? undefined}
    className="flex items-center justify-center gap-2 rounded-lg bg-raised px-3 py-2 font-medium text-accent shadow-raised"
  >
    {BUTTON_ICONS[button.type]}
    <span className="truncate">{button.text || 'Button'}</span>
  </div>
);

const TAGS = { bold: 'strong', italic: 'em', struck: 's', fixed: 'code' } as const satisfies Record<
  Mark,
  string
>;

/** A text with the platform's markup, formatted as on the phone. */
export const Formatted = ({ text }: { text: string }) =>
  formatMessage(text).map(({ text: part, mark }, index) => {
    if (mark === null) return part;
    const Tag = TAGS[mark];
    return (
      <Tag key={index} className={mark === 'fixed' ? 'font-mono text-sm' : undefined}>
        {part}
      </Tag>
    );
  });

// The platform's markup in messages: *bold*, _italic_, ~struck~, ```fixed```.

type Mark = 'bold' | 'italic' | 'struck' | 'fixed';

export interface MessagePart {
  text: string;
  mark: Mark | null;
}

const MARKED =
  /```([^`]+)```|(?<![\w*])\*(\S(?:[^*\n]*\S)?)\*(?![\w*])|(?<!\w)_(\S(?:[^_\n]*\S)?)_(?!\w)|(?<![\w~])~(\S(?:[^~\n]*\S)?)~(?![\w~])/g;

/** Splits a text into formatted and plain parts, without the markup. */
export function formatMessage(text: string): MessagePart[] {
  const parts: MessagePart[] = [];
  let end = 0;
  for (const match of text.matchAll(MARKED)) {
    if (match.index > end) parts.push({ text: text.slice(end, match.index), mark: null });
    const [whole, fixed, bold, italic, struck] = match;
    const mark = fixed ? 'fixed' : bold ? 'bold' : italic ? 'italic' : 'struck';
    parts.push({ text: fixed ?? bold ?? italic ?? struck ?? whole, mark });
    end = match.index + whole.length;
  }
  if (end < text.length) parts.push({ text: text.slice(end), mark: null });
  return parts;
}
