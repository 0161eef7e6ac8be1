import { exampleOf, listNames, readParts, type StoredPart } from './stored-template.ts';

/** The template's own examples, by the keys of slots. Isomorphic. */
export function listExamples(components: unknown): Readonly<Record<string, string>> {
  return Object.fromEntries(examplesOf(readParts(components), ''));
}

const examplesOf = (parts: readonly StoredPart[], prefix: string): [string, string][] =>
  parts.flatMap((part): [string, string][] => {
    if (part.type === 'HEADER' || part.type === 'BODY')
      return listNames(part.text).flatMap((placeholder): [string, string][] => {
        const example = exampleOf(part, placeholder);
        const key = part.type === 'HEADER' ? 'header' : `body_${placeholder}`;
        return example === undefined ? [] : [[`${prefix}${key}`, example]];
      });
    if (part.type === 'BUTTONS')
      return part.buttons.flatMap(({ type, example }, index): [string, string][] =>
        type === 'COPY_CODE' && example !== '' ? [[`${prefix}button_${index}`, example]] : [],
      );
    return part.cards.flatMap(({ components }, card) =>
      examplesOf(readParts(components), `${prefix}card_${card}_`),
    );
  });
