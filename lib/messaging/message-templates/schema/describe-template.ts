import type { TemplateFacts } from '#lib/messaging/schema/fact-types.ts';
import { type ComponentOf, componentSchema, listPlaceholders, type TemplateComponent } from './components.ts';

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
  const parsed = (Array.isArray(components) ? components : []).flatMap((component): TemplateComponent[] => {
    const { data } = componentSchema.safeParse(component);
    return data ? [data] : [];
  });
  const find = <Type extends TemplateComponent['type']>(type: Type): ComponentOf<Type> | undefined =>
    parsed.find((component): component is ComponentOf<Type> => component.type === type);
  const header = find('HEADER');
  const takesHeader = header && (header.format !== 'TEXT' || highestPlaceholder(header.text) > 0);
  const buttonIndex = (find('BUTTONS')?.buttons ?? []).findIndex(({ url = '' }) =>
    /\{\{\s*1\s*\}\}/.test(url),
  );
  return {
    name,
    language,
    status,
    bodyCount: countParameters(find('BODY')?.text),
    header: takesHeader ? HEADERS[header.format] : null,
    buttonIndex: buttonIndex === -1 ? null : buttonIndex,
  };
}

/** The highest number, not how many there are: `{{2}}` alone takes two values. */
export const highestPlaceholder = (text = ''): number => Math.max(0, ...listPlaceholders(text));

function countParameters(text: string | undefined): number | null {
  if (text === undefined || /\{\{\s*[a-z_]/.test(text)) return null;
  return highestPlaceholder(text);
}
