'use client';
import type { TemplateDraft } from './template-draft.ts';

/** Changes some of the draft. */
export type Change = (change: Partial<TemplateDraft>) => void;

/** Gives what is wrong at a place of the form, once it was touched or handed in. */
export type ProblemOf = (place: string) => string | undefined;

/** What each part of the form gets. */
export interface PartProps {
  draft: TemplateDraft;
  change: Change;
  problemOf: ProblemOf;
}

/** How long a text is and may be. */
export const Count = ({ text, limit }: { text: string; limit: number }) => (
  <span className={`text-xs tabular-nums ${text.length > limit ? 'text-danger' : 'text-muted'}`}>
    {text.length} / {limit}
  </span>
);
