import Link from 'next/link';
import { Fragment } from 'react';

const MAX_SHOWN = 3;

/** "Used by 2 workflows: Orders, Returns". */
export function WorkflowLinks({ workflows }: { workflows: readonly { id: string; name: string }[] }) {
  if (workflows.length === 0) return 'not used';
  const others = workflows.length - MAX_SHOWN;
  return (
    <>
      used by {workflows.length === 1 ? '1 workflow' : `${workflows.length} workflows`}:{' '}
      {workflows.slice(0, MAX_SHOWN).map(({ id, name }, index) => (
        <Fragment key={id}>
          {index > 0 && ', '}
          <Link href={`/workflows/${id}`} className="underline underline-offset-2 hover:text-ink">
            {name}
          </Link>
        </Fragment>
      ))}
      {others > 0 && ` and ${others} more`}
    </>
  );
}
