// The findings of `patchbay doctor`, for people and for programs.

export interface Finding {
  about: string;
  state: 'ok' | 'warning' | 'problem';
  text: string;
}

const MARKS = { ok: '✓', warning: '!', problem: '✗' };

export const ok = (about: string, text: string): Finding => ({ about, state: 'ok', text });
export const warning = (about: string, text: string): Finding => ({ about, state: 'warning', text });
export const problem = (about: string, text: string): Finding => ({ about, state: 'problem', text });

/** As one line for people. */
export const toLine = ({ about, state, text }: Finding): string => `${MARKS[state]} ${about}: ${text}`;
