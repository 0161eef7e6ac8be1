'use client';
import { PanelLeftClose, PanelLeftOpen } from 'lucide-react';
import { usePathname } from 'next/navigation';
import { createContext, type ReactNode, use, useState } from 'react';
import { isEditorPath } from './is-editor-path.ts';
import { type Layout, rememberLayout } from './layout-cookie.ts';

interface NavWidth {
  isRail: boolean;
  toggle: () => void;
}
const NavWidthContext = createContext<NavWidth>({ isRail: false, toggle: () => undefined });

/** The columns of the frame. The navigation keeps its width, separately in the editor and elsewhere. */
export function ShellFrame({
  layout,
  children,
}: {
  layout: Pick<Layout, 'nav' | 'editorNav'>;
  children: ReactNode;
}) {
  const [widths, setWidths] = useState({ nav: layout.nav, editorNav: layout.editorNav });
  const place = isEditorPath(usePathname()) ? 'editorNav' : 'nav';
  const isRail = widths[place] === 'rail';
  const toggle = () => {
    const change = { [place]: isRail ? 'wide' : 'rail' };
    setWidths({ ...widths, ...change });
    rememberLayout(change);
  };
  return (
    <NavWidthContext value={{ isRail, toggle }}>
      <div
        data-nav={widths[place]}
        className="min-h-dvh md:grid md:grid-cols-[4rem_minmax(0,1fr)] lg:data-[nav=wide]:grid-cols-[15rem_minmax(0,1fr)]"
      >
        {children}
      </div>
    </NavWidthContext>
  );
}

/** Collapses or expands the navigation. */
export function NavToggle() {
  const { isRail, toggle } = use(NavWidthContext);
  const Icon = isRail ? PanelLeftOpen : PanelLeftClose;
  const label = isRail ? 'Expand navigation' : 'Collapse navigation';
  return (
    <button
      type="button"
      title={label}
      aria-label={label}
      aria-expanded={!isRail}
      onClick={toggle}
      className="flex h-9 items-center gap-3 rounded-md px-2.5 font-medium text-muted hover:bg-hover hover:text-ink max-lg:hidden rail:justify-center"
    >
      <Icon aria-hidden className="size-4.5 shrink-0" />
      <span className="rail:sr-only">Collapse</span>
    </button>
  );
}
