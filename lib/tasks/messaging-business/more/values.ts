// The fields of a message as texts: as written in a draft, or with variables filled in a run.
import type { JsonValue } from '#lib/core/json/value.ts';
import { toText } from '#lib/variables/to-text.ts';

export interface ButtonValue {
  title: string;
  id: string;
}

export interface RowValue {
  section: string;
  title: string;
  description: string;
  id: string;
}

export interface ContactValue {
  name: string;
  phones: string;
  emails: string;
  organization: string;
}

const TEXTS = [
  'message_text',
  'header_type',
  'header_value',
  'footer',
  'list_button',
  'button_text',
  'button_url',
  'latitude',
  'longitude',
  'location_name',
  'location_address',
  'media_url',
  'media_id',
  'message_id',
  'emoji',
  'reply_to',
] as const;

export type MoreValues = Record<(typeof TEXTS)[number], string> & {
  buttons: ButtonValue[];
  rows: RowValue[];
  contacts: ContactValue[];
};

/** The fields as texts; missing ones are empty. @param fill returns the value of a setting */
export function readValues(
  settings: Readonly<Record<string, unknown>>,
  fill: (setting: unknown) => JsonValue | undefined,
): MoreValues {
  const text = (value: unknown): string => toText(fill(value));
  const rows = <Name extends string>(field: string, names: readonly Name[]): Record<Name, string>[] =>
    listOf(settings[field]).map(
      (row) =>
        Object.fromEntries(names.map((name) => [name, text(row[name]).trim()])) as Record<Name, string>,
    );
  return {
    ...(Object.fromEntries(TEXTS.map((name) => [name, text(settings[name])])) as Record<
      (typeof TEXTS)[number],
      string
    >),
    buttons: rows('buttons', ['title', 'id']),
    rows: rows('rows', ['section', 'title', 'description', 'id']),
    contacts: rows('contacts', ['name', 'phones', 'emails', 'organization']),
  };
}

const listOf = (value: unknown): Record<string, unknown>[] =>
  Array.isArray(value) ? (value as Record<string, unknown>[]) : [];

/** Splits a text with several items, by commas, semicolons or lines. */
export const splitList = (text: string): string[] =>
  text.split(/[,;\n]/).flatMap((part) => part.trim() || []);

/** Rows by section, in the order of the sections' first rows. */
export function groupRows(rows: readonly RowValue[]): { title: string; rows: RowValue[] }[] {
  const sections = new Map<string, RowValue[]>();
  for (const row of rows) {
    const others = sections.get(row.section);
    if (others) others.push(row);
    else sections.set(row.section, [row]);
  }
  return [...sections].map(([title, ofIt]) => ({ title, rows: ofIt }));
}
