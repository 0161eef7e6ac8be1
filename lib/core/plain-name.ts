// What people call things stands in lists, messages, mails and logs: on one line, and as it was written.

/** Control characters of Unicode, line breaks among them, and the two separators of lines and paragraphs. */
const CONTROLS = /[\p{Cc}\u2028\u2029]/u;

/** What to say of a name with one. */
export const CONTROLS_IN_NAME = 'Remove control characters, such as line breaks and tabs.';

/** Whether a name has no control character. For every field in which people name something. */
export const isPlainName = (text: string): boolean => !CONTROLS.test(text);
