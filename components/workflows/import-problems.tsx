import { Callout } from '#components/ui/callout.tsx';
import type { Problem } from '#lib/core/errors.ts';

/** Everything that keeps a text from being a workflow: which task and field, and what to do. */
export function ImportProblems({
  problems,
}: {
  problems: readonly (Problem & { where?: string | undefined })[];
}) {
  if (problems.length === 0) return null;
  const title = problems.length === 1 ? '1 problem' : `${problems.length} problems`;
  return (
    <Callout tone="danger" live title={title}>
      <ul className="mt-1 flex max-h-56 flex-col gap-1.5 overflow-y-auto">
        {problems.map(({ path, where, message }, index) => (
          <li key={index}>
            {(where ?? path) && (
              <strong title={path} className="mr-2 font-medium">
                {where ?? path}:
              </strong>
            )}
            {message}
          </li>
        ))}
      </ul>
    </Callout>
  );
}
