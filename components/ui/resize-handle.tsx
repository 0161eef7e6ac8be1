'use client';
import type { KeyboardEvent, PointerEvent } from 'react';

const KEY_STEP_PX = 24;

export interface ResizeHandleProps {
  /** Label: "Resize task panel". */
  label: string;
  widthPx: number;
  minPx: number;
  maxPx: number;
  initialPx: number;
  /** The side of the resized part with the handle. */
  side: 'left' | 'right';
  /** `isDone`: the pointer was released or a key was pressed. */
  onResize: (widthPx: number, isDone: boolean) => void;
}

/** Resizes a part of the screen by dragging or with the arrow keys; a double click restores the default width. */
export function ResizeHandle({ label, widthPx, minPx, maxPx, initialPx, side, onResize }: ResizeHandleProps) {
  const direction = side === 'right' ? 1 : -1;
  const resize = (width: number, isDone: boolean) =>
    onResize(Math.round(Math.min(maxPx, Math.max(minPx, width))), isDone);
  const onPointerDown = (event: PointerEvent<HTMLDivElement>) => {
    if (event.button !== 0) return;
    event.preventDefault();
    const handle = event.currentTarget;
    const from = event.clientX;
    handle.setPointerCapture(event.pointerId);
    const at = (clientX: number) => widthPx + (clientX - from) * direction;
    const move = (moved: globalThis.PointerEvent) => resize(at(moved.clientX), false);
    const end = (ended: globalThis.PointerEvent) => {
      handle.removeEventListener('pointermove', move);
      resize(at(ended.clientX), true);
    };
    handle.addEventListener('pointermove', move);
    handle.addEventListener('lostpointercapture', end, { once: true });
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const step = { ArrowRight: KEY_STEP_PX, ArrowLeft: -KEY_STEP_PX }[event.key];
    if (step === undefined) return;
    event.preventDefault();
    resize(widthPx + step * direction, true);
  };
  return (
    <div
      role="separator"
      aria-label={label}
      aria-orientation="vertical"
      aria-valuenow={widthPx}
      aria-valuemin={minPx}
      aria-valuemax={maxPx}
      tabIndex={0}
      onPointerDown={onPointerDown}
      onKeyDown={onKeyDown}
      onDoubleClick={() => resize(initialPx, true)}
      className={`absolute inset-y-0 z-10 w-2 cursor-col-resize touch-none hover:bg-accent/30 focus-visible:bg-accent/40 focus-visible:outline-none max-md:hidden ${side === 'right' ? '-right-1' : '-left-1'}`}
    />
  );
}
