import { Callout } from '#components/ui/callout.tsx';
import type { Problem } from '#lib/core/errors.ts';

/** Everything that keeps a text from being a workflow, by path. */
export function ImportProblems({ problems }: { problems: readonly Problem[] }) {
  if (problems.length === 0) return null;
  const title = problems.length === 1 ? '1 problem' : `${problems.length} problems`;
  return (
    <Callout tone="danger" live title={title}>
      <ul className="mt-1 flex max-h-56 flex-col gap-1.5 overflow-y-auto">
        {problems.map(({ path, message }, index) => (
          <li key={index}>
            {path && <code className="mr-2 rounded-sm bg-raised px-1 font-mono text-sm">{path}</code>}
            {message}
          </li>
        ))}
      </ul>
    </Callout>
  );
}
