import { CircleAlert, CircleCheck, TriangleAlert } from 'lucide-react';
import type { ReactNode } from 'react';
import { Skeleton } from './loading.tsx';
import { TextWithInstants } from './relative-time.tsx';

export interface CheckItem {
  id: string;
  title: string;
  result: 'ok' | 'warning' | 'failed';
  what: ReactNode;
  /** How to fix it; null when all is well. */
  fix: string | null;
}

const ICONS = {
  ok: <CircleCheck aria-label="OK" className="size-5 text-success" />,
  warning: <TriangleAlert aria-label="Needs attention" className="size-5 text-warning" />,
  failed: <CircleAlert aria-label="Not working" className="size-5 text-danger" />,
};

/** The outcomes of checks. @param expected number of checks, while `items` are loading */
export function CheckList({
  items,
  expected,
  busy,
}: {
  items: readonly CheckItem[] | undefined;
  expected: number;
  busy: boolean;
}) {
  return (
    <ul aria-busy={busy} className="flex flex-col divide-y divide-line">
      {items?.map(({ id, title, result, what, fix }) => (
        <li key={id} className="flex min-h-16 gap-3 py-3">
          <span className="mt-0.5">{ICONS[result]}</span>
          <div className="min-w-0">
            <p className="font-medium">{title}</p>
            <p className="text-muted">{typeof what === 'string' ? <TextWithInstants text={what} /> : what}</p>
            {fix !== null && <p className="mt-1">{fix}</p>}
          </div>
        </li>
      )) ??
        Array.from({ length: expected }, (_, index) => (
          <li key={index} className="flex min-h-16 items-center py-3">
            <Skeleton className="h-10 w-full" />
          </li>
        ))}
    </ul>
  );
}
