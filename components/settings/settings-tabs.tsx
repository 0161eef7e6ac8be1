'use client';
import Link from 'next/link';
import { usePathname } from 'next/navigation';
import { cx } from '#components/ui/cx.ts';

/** The pages of the settings. */
export function SettingsTabs({ tabs }: { tabs: readonly { href: string; label: string }[] }) {
  const pathname = usePathname();
  return (
    <nav aria-label="Settings" className="mb-6 flex gap-5 overflow-x-auto border-b border-line">
      {tabs.map(({ href, label }) => (
        <Link
          key={href}
          href={href}
          aria-current={pathname === href ? 'page' : undefined}
          className={cx(
            '-mb-px border-b-2 py-2 font-medium whitespace-nowrap focus-visible:outline-offset-[-2px]',
            pathname === href ? 'border-accent text-ink' : 'border-transparent text-muted hover:text-ink',
          )}
        >
          {label}
        </Link>
      ))}
    </nav>
  );
}
