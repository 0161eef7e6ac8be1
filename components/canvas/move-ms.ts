const MOVE_MS = 200;

/** Duration of automatic movements of the canvas; none with reduced motion. */
export const moveMs = (): number =>
  window.matchMedia('(prefers-reduced-motion: reduce)').matches ? 0 : MOVE_MS;
