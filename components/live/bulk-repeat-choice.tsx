'use client';
import { useState } from 'react';
import { Callout } from '#components/ui/callout.tsx';
import { Checkbox } from '#components/ui/checkbox.tsx';
import { Spinner } from '#components/ui/spinner.tsx';
import type { BulkRepeat } from './list-types.ts';

/** The user's choice to repeat, with its shown effects. */
export interface ToldRepeat {
  text: string;
}

/** Includes items that would be processed a second time, after showing what is repeated. */
export function BulkRepeatChoice({
  repeat,
  ids,
  told,
  onTold,
}: {
  repeat: Pick<BulkRepeat<never>, 'label' | 'explain'>;
  ids: readonly string[];
  told: ToldRepeat | null;
  onTold: (told: ToldRepeat | null) => void;
}) {
  const [isAsking, setIsAsking] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  const choose = async (isChosen: boolean) => {
    setProblem(null);
    if (!isChosen) return onTold(null);
    setIsAsking(true);
    try {
      onTold({ text: await repeat.explain(ids) });
    } catch (error) {
      setProblem(error instanceof Error ? error.message : 'The server cannot be reached. Try again.');
    }
    setIsAsking(false);
  };
  return (
    <>
      <Checkbox
        label={repeat.label(ids.length)}
        checked={told !== null || isAsking}
        disabled={isAsking}
        onCheckedChange={(isChosen) => void choose(isChosen)}
      />
      {isAsking && <Spinner label="Counting the messages" />}
      {told && <Callout tone="warning">{told.text}</Callout>}
      {problem !== null && <Callout tone="danger">{problem}</Callout>}
    </>
  );
}
