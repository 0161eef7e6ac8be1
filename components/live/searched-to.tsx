import { Button } from '#components/ui/button.tsx';
import { RelativeTime } from '#components/ui/relative-time.tsx';
import { Spinner } from '#components/ui/spinner.tsx';

/** How far back a search has come, with a button to continue. @param at null: it is complete */
export const SearchedTo = ({ at, busy, goOn }: { at: string | null; busy: boolean; goOn: () => void }) =>
  at === null ? null : (
    <div className="flex min-h-8 flex-wrap items-center justify-center gap-x-4 gap-y-2 pb-4 text-sm text-muted">
      <span className="flex items-center gap-2" aria-live="polite">
        {busy && <Spinner label={null} />}
        <span>
          Searched back to <RelativeTime at={at} />
        </span>
      </span>
      {!busy && (
        <Button size="sm" onClick={goOn}>
          Search further back
        </Button>
      )}
    </div>
  );
