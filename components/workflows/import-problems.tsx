import { Callout } from '#components/ui/callout.tsx';
import type { Problem } from '#lib/core/errors.ts';

/** Problems and warnings of an import: which task and field, and the fix. */
export function ImportProblems({
  problems,
  areWarnings = false,
}: {
  problems: readonly (Problem & { where?: string | undefined })[];
  areWarnings?: boolean;
}) {
  if (problems.length === 0) return null;
  const word = areWarnings ? 'warning' : 'problem';
  const title = problems.length === 1 ? `1 ${word}` : `${problems.length} ${word}s`;
  return (
    <Callout tone={areWarnings ? 'warning' : 'danger'} live title={title}>
      <ul className="mt-1 flex flex-col gap-1.5">
        {problems.map(({ path, where, message }, index) => (
          <li key={index}>
            {(where ?? path) && (
              <strong title={path} className="font-medium">
                {where ?? path}:
              </strong>
            )}{' '}
            {message}
          </li>
        ))}
      </ul>
      {areWarnings && (
        <p className="mt-2">
          You can import the file as it is, and move the keys to secrets in the tasks. Whoever has the file
          can read them.
        </p>
      )}
    </Callout>
  );
}
