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

/** The field of the draft that a place belongs to. @param isCode of an authentication template */
export function fieldOf(place: string, isCode: boolean): string {
  if (isCode && /^(BODY|FOOTER|BUTTONS)/.test(place)) return 'otp';
  if (place.startsWith('BODY.example')) return 'bodyExamples';
  if (place.startsWith('BODY')) return 'body';
  if (place.startsWith('HEADER.example')) return 'headerExample';
  if (place.startsWith('HEADER')) return 'headerText';
  if (place.startsWith('FOOTER')) return 'footer';
  if (place.startsWith('BUTTONS')) return 'buttons';
  return place;
}
