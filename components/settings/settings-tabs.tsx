'use client';
import { Link } from '#components/ui/link.tsx';
import { usePathname } from 'next/navigation';
import { useEffect, useRef } from 'react';
import { cx } from '#components/ui/cx.ts';

/** The pages of the settings. */
export function SettingsTabs({ tabs }: { tabs: readonly { href: string; label: string }[] }) {
  const pathname = usePathname();
  const isOpen = (href: string): boolean => pathname === href || pathname.startsWith(`${href}/`);
  const list = useRef<HTMLElement>(null);
  // On phones the open tab may be outside the view.
  useEffect(() => {
    const open = list.current?.querySelector<HTMLElement>('[aria-current]');
    if (list.current && open)
      list.current.scrollLeft = open.offsetLeft - (list.current.clientWidth - open.offsetWidth) / 2;
  }, [pathname]);
  return (
    <nav
      ref={list}
      aria-label="Settings"
      // On phones the tabs scroll; elsewhere all of them are visible.
      className="relative mb-6 flex gap-x-3 border-b border-line max-sm:overflow-x-auto max-sm:overflow-y-hidden max-sm:[scrollbar-width:none] sm:flex-wrap"
    >
      {tabs.map(({ href, label }) => (
        <Link
          key={href}
          href={href}
          aria-current={isOpen(href) ? 'page' : undefined}
          className={cx(
            '-mb-px border-b-2 py-2 font-medium whitespace-nowrap focus-visible:outline-offset-[-2px]',
            isOpen(href) ? 'border-accent text-ink' : 'border-transparent text-muted hover:text-ink',
          )}
        >
          {label}
        </Link>
      ))}
    </nav>
  );
}
