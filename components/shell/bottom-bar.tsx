'use client';
import { CircleHelp, Menu } from 'lucide-react';
import { Link } from '#components/ui/link.tsx';
import { usePathname } from 'next/navigation';
import { useState } from 'react';
import { Dialog } from '#components/ui/overlay/dialog.tsx';
import { HELP_PAGES } from '#components/help/help-link.tsx';
import { BarLabel, BarLink } from './nav-link.tsx';
import { DESTINATIONS, isInSection } from './navigation.ts';

const IN_BAR = 4;

/** The navigation of phones: four sections, the others under "More". */
export function BottomBar() {
  const [open, setOpen] = useState(false);
  const pathname = usePathname();
  const more = DESTINATIONS.slice(IN_BAR);
  const inMore = more.some(({ href }) => isInSection(pathname, href));
  return (
    <nav
      aria-label="Main"
      className="fixed inset-x-0 bottom-0 z-30 flex h-(--bar-height) border-t border-line bg-surface pb-[env(safe-area-inset-bottom)] md:hidden"
    >
      {DESTINATIONS.slice(0, IN_BAR).map((destination) => (
        <BarLink key={destination.href} {...destination} />
      ))}
      <Dialog
        open={open}
        onOpenChange={setOpen}
        title="More"
        trigger={
          <button
            type="button"
            className={`flex min-w-0 flex-1 flex-col items-center justify-center gap-0.5 text-xs focus-visible:outline-offset-[-2px] ${inMore ? 'font-semibold text-accent' : 'text-muted'}`}
          >
            <Menu aria-hidden className="size-5" />
            <BarLabel>More</BarLabel>
          </button>
        }
      >
        <ul className="flex flex-col gap-1">
          {more.map(({ href, label, icon: Icon }) => (
            <li key={href}>
              <Link
                href={href}
                onClick={() => setOpen(false)}
                className="flex h-12 items-center gap-3 rounded-md px-2 text-lg hover:bg-hover"
              >
                <Icon aria-hidden className="size-5 text-muted" />
                {label}
              </Link>
            </li>
          ))}
          <li>
            <a
              href={HELP_PAGES.start}
              target="_blank"
              rel="noreferrer"
              className="flex h-12 items-center gap-3 rounded-md px-2 text-lg hover:bg-hover"
            >
              <CircleHelp aria-hidden className="size-5 text-muted" />
              Help
            </a>
          </li>
        </ul>
      </Dialog>
    </nav>
  );
}
