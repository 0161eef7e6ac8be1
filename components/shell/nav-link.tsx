'use client';
import { CircleHelp } from 'lucide-react';
import { Link } from '#components/ui/link.tsx';
import { usePathname } from 'next/navigation';
import { cx } from '#components/ui/cx.ts';
import { FailingBadge } from './failing-badge.tsx';
import { HELP_PAGES } from '#components/help/help-link.tsx';
import { type Destination, DESTINATIONS, isInSection } from './navigation.ts';

/** The sections at the side. */
export const SideNav = () => (
  <nav aria-label="Main" className="flex flex-1 flex-col gap-0.5">
    {DESTINATIONS.map((destination) => (
      <SideLink key={destination.href} {...destination} />
    ))}
  </nav>
);

/** An icon with its label, only the icon on narrow screens. */
function SideLink({ href, label, icon: Icon, countsFailures }: Destination) {
  const current = isInSection(usePathname(), href);
  return (
    <Link
      href={href}
      title={label}
      aria-current={current ? 'page' : undefined}
      className={cx(
        'relative flex h-9 items-center gap-3 rounded-md px-2.5 font-medium transition-colors rail:justify-center',
        current ? 'bg-accent-soft text-accent' : 'text-muted hover:bg-hover hover:text-ink',
      )}
    >
      <Icon aria-hidden className="size-4.5 shrink-0" />
      <span className="flex-1 truncate rail:sr-only">{label}</span>
      {countsFailures && <FailingBadge className="rail:absolute rail:top-0 rail:right-0" />}
    </Link>
  );
}

/** The help, in a new tab. */
export const HelpEntry = () => (
  <a
    href={HELP_PAGES.start}
    target="_blank"
    rel="noreferrer"
    title="Help"
    className="flex h-9 items-center gap-3 rounded-md px-2.5 font-medium text-muted hover:bg-hover hover:text-ink rail:justify-center"
  >
    <CircleHelp aria-hidden className="size-4.5 shrink-0" />
    <span className="rail:sr-only">Help</span>
  </a>
);

/** A section in the bottom bar of phones. */
export function BarLink({ href, label, icon: Icon, countsFailures }: Destination) {
  const current = isInSection(usePathname(), href);
  return (
    <Link
      href={href}
      aria-current={current ? 'page' : undefined}
      className={cx(
        'relative flex min-w-0 flex-1 flex-col items-center justify-center gap-0.5 text-xs focus-visible:outline-offset-[-2px]',
        current ? 'font-semibold text-accent' : 'text-muted',
      )}
    >
      <Icon aria-hidden className="size-5" />
      {countsFailures && <FailingBadge className="absolute top-1 left-1/2 ml-1.5" />}
      <BarLabel>{label}</BarLabel>
    </Link>
  );
}

/** The word below an icon of the bottom bar. */
export const BarLabel = ({ children }: { children: string }) => (
  <span className="max-w-full truncate text-[0.6875rem] tracking-tight">{children}</span>
);
