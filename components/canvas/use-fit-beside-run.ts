import { useReactFlow } from '@xyflow/react';
import { type RefObject, useEffect } from 'react';
import { useEditorState } from '#components/editor/editor-context.tsx';
import { WHOLE_DRAWING } from './fit-options.ts';

/** A run shown below reduces the canvas: its tasks stay visible. */
export function useFitBesideRun(area: RefObject<HTMLElement | null>): void {
  const flow = useReactFlow();
  const isShown = useEditorState((state) => state.draftRun !== undefined);
  useEffect(() => {
    if (!isShown || !area.current) return;
    const observer = new ResizeObserver(() => void flow.fitView(WHOLE_DRAWING));
    observer.observe(area.current);
    return () => observer.disconnect();
  }, [flow, area, isShown]);
}
