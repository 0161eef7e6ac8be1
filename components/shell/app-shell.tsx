import { HealthNotice } from '#components/health/health-notice.tsx';
import { Search } from 'lucide-react';
import { Link } from '#components/ui/link.tsx';
import type { ReactNode } from 'react';
import { AccountMenu } from './account-menu.tsx';
import { BottomBar } from './bottom-bar.tsx';
import { CommandMenu, OpenCommandMenu } from './command-menu.tsx';
import { Logo } from './logo.tsx';
import { HelpEntry, SideNav } from './nav-link.tsx';
import { NavToggle, ShellFrame, SkipLink } from './shell-frame.tsx';
import type { ShellProps } from './shell-types.ts';

/**
 * The frame of every signed-in screen: navigation at the side (icons on tablets, a bar at the bottom of phones), and the
 * screen itself, which has its own padding (`Page`) or fills the area (the canvas).
 */
export function AppShell({ children, ...props }: ShellProps & { children: ReactNode }) {
  const { canEdit, findWorkflows, layout, ...account } = props;
  return (
    <ShellFrame layout={layout}>
      <SkipLink />
      <aside className="sticky top-0 hidden h-dvh flex-col gap-4 border-r border-line bg-surface p-3 md:flex">
        <Link
          href="/workflows"
          className="flex items-center gap-2.5 rounded-md px-1 py-1 rail:justify-center"
        >
          <Logo className="size-8 shrink-0" />
          <span className="text-lg font-semibold tracking-tight rail:sr-only">Patchbay</span>
        </Link>
        <OpenCommandMenu>
          <Search aria-hidden className="size-4 shrink-0" />
          <span className="flex-1 text-left rail:sr-only">Search</span>
        </OpenCommandMenu>
        <SideNav />
        <div className="flex flex-col gap-0.5">
          <HelpEntry />
          <NavToggle />
        </div>
        <AccountMenu {...account} />
      </aside>
      <header className="sticky top-0 z-20 flex h-13 items-center justify-between gap-2 border-b border-line bg-surface px-3 md:hidden">
        <Link href="/workflows" className="flex items-center gap-2 rounded-md font-semibold">
          <Logo className="size-7" />
          Patchbay
        </Link>
        <div>
          <AccountMenu {...account} compact />
        </div>
      </header>
      <main
        id="main"
        tabIndex={-1}
        className="min-w-0 pb-(--bar-height) focus:outline-none has-data-fills-screen:flex has-data-fills-screen:h-[calc(100dvh-3.25rem)] has-data-fills-screen:flex-col md:pb-0 md:has-data-fills-screen:h-dvh"
      >
        <HealthNotice />
        {children}
      </main>
      <BottomBar />
      <CommandMenu canEdit={canEdit} findWorkflows={findWorkflows} />
    </ShellFrame>
  );
}
