// Names that people give things are shown in lists, messages, mails and logs: on one line, unchanged.

/** Control characters of Unicode, line breaks among them, and the two separators of lines and paragraphs. */
const CONTROLS = /[\p{Cc}\u2028\u2029]/u;

/** The error for such a name. */
export const CONTROLS_IN_NAME = 'Remove control characters, such as line breaks and tabs.';

/** Whether a name has no control characters. For every field in which people name something. */
export const isPlainName = (text: string): boolean => !CONTROLS.test(text);

/** The error for a text that PostgreSQL cannot store. */
export const NUL_IN_TEXT = 'Remove the character U+0000.';

export const hasNoNul = (text: string): boolean => !text.includes('\0');
