const MOVE_MS = 200;

/** How long a movement of the canvas takes that nobody's hand makes; none for people who asked their system for that. */
export const moveMs = (): number =>
  window.matchMedia('(prefers-reduced-motion: reduce)').matches ? 0 : MOVE_MS;
