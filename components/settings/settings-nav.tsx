'use client';
import { Link } from '#components/ui/link.tsx';
import { usePathname } from 'next/navigation';
import { useEffect, useRef } from 'react';
import { cx } from '#components/ui/cx.ts';

/** Pages of the settings that belong together. */
export interface SettingsGroup {
  title: string;
  pages: readonly { href: string; label: string }[];
}

/** The pages of the settings: a column beside the open one; on narrow screens one line that scrolls. */
export function SettingsNav({ groups }: { groups: readonly SettingsGroup[] }) {
  const pathname = usePathname();
  const isOpen = (href: string): boolean => pathname === href || pathname.startsWith(`${href}/`);
  const list = useRef<HTMLElement>(null);
  // In the line, the open page may be outside the view.
  useEffect(() => {
    const open = list.current?.querySelector<HTMLElement>('[aria-current]');
    if (list.current && open)
      list.current.scrollLeft = open.offsetLeft - (list.current.clientWidth - open.offsetWidth) / 2;
  }, [pathname]);
  return (
    <nav
      ref={list}
      aria-label="Settings"
      className="relative mb-6 flex gap-x-3 max-lg:overflow-x-auto max-lg:overflow-y-hidden max-lg:border-b max-lg:border-line max-lg:[scrollbar-width:none] lg:sticky lg:top-9 lg:w-44 lg:shrink-0 lg:flex-col lg:gap-y-5"
    >
      {groups.map(({ title, pages }) => (
        <div key={title}>
          <p aria-hidden className="px-2 pb-1 text-sm text-muted max-lg:hidden">
            {title}
          </p>
          <ul aria-label={title} className="flex gap-x-3 lg:flex-col lg:gap-y-0.5">
            {pages.map(({ href, label }) => (
              <li key={href} className="flex">
                <Link
                  href={href}
                  aria-current={isOpen(href) ? 'page' : undefined}
                  className={cx(
                    'flex-1 font-medium whitespace-nowrap focus-visible:outline-offset-[-2px] max-lg:-mb-px max-lg:border-b-2 max-lg:py-2 lg:rounded-md lg:px-2 lg:py-1',
                    isOpen(href)
                      ? 'text-ink max-lg:border-accent lg:bg-accent-soft lg:text-accent'
                      : 'text-muted hover:text-ink max-lg:border-transparent lg:hover:bg-hover',
                  )}
                >
                  {label}
                </Link>
              </li>
            ))}
          </ul>
        </div>
      ))}
    </nav>
  );
}
