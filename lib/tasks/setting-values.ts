// Schemas that settings of several task types share.
import * as z from 'zod';

/** Characters of a variable text in settings; the variables' own limit is higher. */
export const MAX_TEXT_CHARACTERS = 65_536;

/** A text that may hold variables; give it `.meta({ variables: true, … })`. */
export const variableText = () =>
  z.string().max(MAX_TEXT_CHARACTERS, `At most ${MAX_TEXT_CHARACTERS} characters.`);

/** Any JSON; every string in it is a variable text. */
export const jsonSetting = () =>
  z.union([
    variableText(),
    z.number(),
    z.boolean(),
    z.null(),
    z.array(z.unknown()),
    z.record(z.string(), z.unknown()),
  ]);

/** The name of a calendar of opening hours of the workspace; give it `.meta({ title, description, … })`, too. */
export const calendarSetting = () =>
  variableText().meta({ variables: true, calendar: true, placeholder: 'Opening hours' });

/** A number, or a variable text with one. */
export const numberSetting = () => z.union([z.number(), variableText()]);

/** Whether a settings value is missing: nothing, blank text, an empty list. */
export function isMissing(value: unknown): boolean {
  if (typeof value === 'string') return value.trim() === '';
  return value === undefined || (Array.isArray(value) && value.length === 0);
}

/** Whether the value of a text is only known in a run. */
export const hasVariables = (value: unknown): boolean => typeof value === 'string' && value.includes('{{');

// Settings as text for a card: they may be a draft's, incomplete or of a wrong type.

/** A text unchanged, anything else as JSON; empty when missing. */
export function settingWords(value: unknown): string {
  if (value === undefined || value === null) return '';
  return (typeof value === 'string' ? value : JSON.stringify(value)).trim();
}

/** The elements of a list that are objects. */
export const settingRows = (value: unknown): Readonly<Record<string, unknown>>[] =>
  (Array.isArray(value) ? (value as unknown[]) : []).filter(
    (each): each is Readonly<Record<string, unknown>> => typeof each === 'object' && each !== null,
  );

/** Answers a question about settings once for each object: a version's settings are the same object in every run. */
export function perSettings<Settings extends object>(
  find: (settings: Settings) => boolean,
): (settings: Settings) => boolean {
  const known = new WeakMap<Settings, boolean>();
  return (settings) => {
    let found = known.get(settings);
    if (found === undefined) known.set(settings, (found = find(settings)));
    return found;
  };
}
