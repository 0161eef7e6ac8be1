'use client';
import type { TemplateDraft } from './template-draft.ts';

/** Changes a part of the draft. */
export type Change = (change: Partial<TemplateDraft>) => void;

/** Returns the problem of a field, once it was touched or submitted. */
export type ProblemOf = (place: string) => string | undefined;

/** Props of each part of the form. */
export interface PartProps {
  draft: TemplateDraft;
  change: Change;
  problemOf: ProblemOf;
}

/** Length and maximum length of a text. */
export const Count = ({ text, limit }: { text: string; limit: number }) => (
  <span className={`text-xs tabular-nums ${text.length > limit ? 'text-danger' : 'text-muted'}`}>
    {text.length} / {limit}
  </span>
);
