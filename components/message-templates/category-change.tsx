import { Callout } from '#components/ui/callout.tsx';
import { codeTitle } from '#lib/messaging/schema/number-words.ts';
import type { ShownTemplate } from './shown-template.ts';

/** That the platform put a template into another category, or will; nothing where it did not. */
export function CategoryChange({
  category,
  previous_category: before,
  correct_category: next,
}: Pick<ShownTemplate, 'category' | 'previous_category' | 'correct_category'>) {
  if (next !== null && next !== category)
    return (
      <Callout tone="warning">
        The platform will change the category from {codeTitle(category)} to {codeTitle(next)}.
      </Callout>
    );
  if (before === null || before === category) return null;
  return (
    <Callout tone="warning">
      The platform changed the category from {codeTitle(before)} to {codeTitle(category)}.
    </Callout>
  );
}
