import * as z from 'zod';
import type { QuickReply, TemplateFacts } from '#lib/messaging/schema/fact-types.ts';
import { type ComponentOf, listPlaceholders, readComponents, type TemplateButton } from './components.ts';

const HEADERS = { TEXT: 'text', IMAGE: 'image', VIDEO: 'video', DOCUMENT: 'document' } as const;

/** What sending a message template takes. Components that cannot be read are left out. Isomorphic. */
export function describeTemplate({
  name,
  language,
  status,
  components,
}: {
  name: string;
  language: string;
  status: string;
  components: unknown;
}): TemplateFacts {
  const find = readComponents(components);
  return {
    name,
    language,
    status,
    bodyCount: countParameters(find('BODY')?.text),
    header: headerOf(find('HEADER')),
    buttonIndex: buttonOf(find('BUTTONS')?.buttons ?? []),
    quickReplies: quickRepliesOf(components),
  };
}

/** What a header takes when it is sent; null: nothing. */
export function headerOf(header: ComponentOf<'HEADER'> | undefined): TemplateFacts['header'] {
  const takesValue = header && (header.format !== 'TEXT' || highestPlaceholder(header.text) > 0);
  return takesValue ? HEADERS[header.format] : null;
}

/** The first button whose URL takes a value; null: none. */
export function buttonOf(buttons: readonly TemplateButton[]): number | null {
  const index = buttons.findIndex(({ url = '' }) => /\{\{\s*1\s*\}\}/.test(url));
  return index === -1 ? null : index;
}

const someButtons = z.array(z.object({ type: z.string(), text: z.string().default('') }));
const someComponents = z.array(
  z.object({ type: z.string(), buttons: someButtons.optional().catch(undefined) }),
);

/** The buttons that customers answer with, whatever other buttons there are. Isomorphic. */
export function quickRepliesOf(components: unknown): QuickReply[] {
  const found = someComponents.safeParse(components).data?.find(({ type }) => type === 'BUTTONS');
  return (found?.buttons ?? []).flatMap(({ type, text }, index) =>
    type === 'QUICK_REPLY' ? [{ title: text, index }] : [],
  );
}

/** The highest number, not how many there are: `{{2}}` alone takes two values. */
export const highestPlaceholder = (text = ''): number => Math.max(0, ...listPlaceholders(text));

function countParameters(text: string | undefined): number | null {
  if (text === undefined || /\{\{\s*[a-z_]/.test(text)) return null;
  return highestPlaceholder(text);
}
