import { RelativeTime } from '#components/ui/relative-time.tsx';
import { Spinner } from '#components/ui/spinner.tsx';

/** How far back a search by text has come. @param at null: it is through */
export const SearchedTo = ({ at, busy }: { at: string | null; busy: boolean }) =>
  at === null ? null : (
    <p className="flex items-center justify-center gap-2 pt-3 text-sm text-muted">
      {busy && <Spinner label={null} />}
      <span>
        Searched back to <RelativeTime at={at} />
      </span>
    </p>
  );
