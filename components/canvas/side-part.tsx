'use client';
import type { CSSProperties, ReactNode, Ref } from 'react';
import { useEditor, useEditorState } from '#components/editor/editor-context.tsx';
import { PALETTE_WIDTHS_PX, PANEL_WIDTHS_PX, rememberLayout } from '#components/shell/layout-cookie.ts';
import { cx } from '#components/ui/cx.ts';
import { ResizeHandle } from '#components/ui/resize-handle.tsx';

const PARTS = {
  panelPx: { label: 'Resize the task panel', handle: 'left', limits: PANEL_WIDTHS_PX },
  palettePx: { label: 'Resize the task list', handle: 'right', limits: PALETTE_WIDTHS_PX },
} as const;

export interface SidePartProps {
  part: keyof typeof PARTS;
  className: string;
  children: ReactNode;
  ref?: Ref<HTMLDivElement>;
}

/** A resizable part beside the canvas; the browser remembers its width. */
export function SidePart({ part, className, children, ref }: SidePartProps) {
  const editor = useEditor();
  const widthPx = useEditorState((state) => state.widths[part]);
  const { label, handle, limits } = PARTS[part];
  return (
    <div
      ref={ref}
      style={{ '--part-width': `${widthPx}px` } as CSSProperties}
      className={cx('relative shrink-0 md:w-(--part-width) md:max-w-[60vw]', className)}
    >
      {children}
      <ResizeHandle
        label={label}
        side={handle}
        widthPx={widthPx}
        minPx={limits.min}
        maxPx={limits.max}
        initialPx={limits.initial}
        onResize={(px, isDone) => {
          editor.store.set({ widths: { ...editor.state.widths, [part]: px } });
          if (isDone) rememberLayout({ [part]: px });
        }}
      />
    </div>
  );
}
