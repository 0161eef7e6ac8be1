import Link from 'next/link';
import type { FixPlace } from '#lib/screens/run-types.ts';

/** Leads to the page on which the reason of a failure is removed. */
export const FixLink = ({ place }: { place: FixPlace | null }) =>
  place && (
    <p className="mt-2">
      <Link href={place.href} className="text-accent underline hover:no-underline">
        {place.label}
      </Link>
    </p>
  );
