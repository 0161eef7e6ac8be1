'use client';
import { PanelLeftOpen, Plus } from 'lucide-react';
import { useReactFlow } from '@xyflow/react';
import { useLayoutEffect, useRef } from 'react';
import { rememberLayout } from '#components/shell/layout-cookie.ts';
import { Button } from '#components/ui/button.tsx';
import { cx } from '#components/ui/cx.ts';
import { IconButton } from '#components/ui/icon-button.tsx';
import { CalledNames } from './canvas-mode.ts';
import { useCalledNames } from './use-called-names.ts';
import { EditorCanvas } from './editor-canvas.tsx';
import { useEditor, useEditorState } from '#components/editor/editor-context.tsx';
import { SidePart } from './side-part.tsx';
import { TaskPalette } from './task-palette.tsx';
import { useSpot } from './use-spot.ts';

/** Minimum width of the window for the list of tasks, without and with an open panel. */
const ROOM = {
  alone: { list: 'md:block', instead: 'md:hidden' },
  withPanel: { list: 'min-[87rem]:block', instead: 'min-[87rem]:hidden' },
};

/** The list of tasks and the canvas; where there is no room for both, a button opens the list. */
export function CanvasArea() {
  const editor = useEditor();
  const findSpot = useSpot();
  const isPanelOpen = useEditorState((state) => state.openTaskId !== undefined);
  const isListOpen = useEditorState((state) => state.isPaletteShown);
  const setListOpen = (isPaletteShown: boolean) => {
    editor.store.set({ isPaletteShown });
    rememberLayout({ palette: isPaletteShown ? 'shown' : 'hidden' });
  };
  const listPx = useEditorState((state) => state.widths.palettePx);
  const list = useSteadyDrawing(isPanelOpen, isListOpen, listPx);
  const room = isPanelOpen ? ROOM.withPanel : ROOM.alone;
  return (
    <CalledNames value={useCalledNames()}>
      {editor.canEdit && isListOpen && (
        <SidePart part="palettePx" ref={list} className={cx('hidden', room.list)}>
          <TaskPalette close={() => setListOpen(false)} />
        </SidePart>
      )}
      <EditorCanvas
        overlay={
          <div className="flex gap-2">
            {!isListOpen && (
              <div className={cx('hidden', room.list)}>
                <IconButton
                  label="Show tasks"
                  variant="secondary"
                  onClick={() => setListOpen(true)}
                  tooltipSide="right"
                >
                  <PanelLeftOpen aria-hidden />
                </IconButton>
              </div>
            )}
            <Button
              variant="primary"
              size="sm"
              icon={<Plus aria-hidden />}
              className={isListOpen ? room.instead : undefined}
              onClick={() => editor.store.set({ pickingFor: findSpot() })}
            >
              Add a task
            </Button>
          </div>
        }
      />
    </CalledNames>
  );
}

/** The workflow keeps its position on the screen when the list opens or closes, so that nothing moves under the pointer. */
function useSteadyDrawing(isPanelOpen: boolean, isListOpen: boolean, listPx: number) {
  const flow = useReactFlow();
  const list = useRef<HTMLDivElement>(null);
  const knownWidth = useRef<number>(undefined);
  useLayoutEffect(() => {
    const width = list.current?.offsetWidth ?? 0;
    const grown = width - (knownWidth.current ?? width);
    knownWidth.current = width;
    const { x, y, zoom } = flow.getViewport();
    if (grown !== 0) void flow.setViewport({ x: x - grown, y, zoom });
  }, [flow, isPanelOpen, isListOpen, listPx]);
  return list;
}
