'use client';
import { PanelLeftClose, PanelLeftOpen } from 'lucide-react';
import { usePathname } from 'next/navigation';
import { createContext, type ReactNode, use, useState } from 'react';
import { type Layout, rememberLayout } from './layout-cookie.ts';
import { isEditorPath } from './navigation.ts';

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

/** Id of the canvas, the target of the skip link. */
export const CANVAS_ID = 'canvas';

/** The first tab stop: skips the navigation, and in the editor everything beside the canvas. */
export function SkipLink() {
  const isEditor = isEditorPath(usePathname());
  return (
    <a
      href={isEditor ? `#${CANVAS_ID}` : '#main'}
      className="fixed top-2 left-2 z-50 -translate-y-16 rounded-md bg-accent px-4 py-2 font-medium text-accent-ink focus:translate-y-0"
    >
      {isEditor ? 'Skip to the canvas' : 'Skip to content'}
    </a>
  );
}
