// The user's layout of frame and editor. Stored in a cookie, so that the server renders every page with it.

export interface Layout {
  /** The navigation with labels, or icons only. */
  nav: 'wide' | 'rail';
  /** The same in the editor, where the canvas needs space. */
  editorNav: 'wide' | 'rail';
  /** The list of tasks beside the canvas. */
  palette: 'shown' | 'hidden';
  /** Widths in the editor. */
  panelPx: number;
  palettePx: number;
}

export const LAYOUT_COOKIE = 'layout';
export const PANEL_WIDTHS_PX = { min: 320, initial: 416, max: 900 };
export const PALETTE_WIDTHS_PX = { min: 180, initial: 224, max: 420 };
const YEAR_SECONDS = 31_536_000;

/** Parses a cookie, with defaults. */
export function readLayout(cookie: string | undefined): Layout {
  const said = new URLSearchParams(decode(cookie ?? ''));
  return {
    nav: said.get('nav') === 'rail' ? 'rail' : 'wide',
    editorNav: said.get('editorNav') === 'wide' ? 'wide' : 'rail',
    palette: said.get('palette') === 'hidden' ? 'hidden' : 'shown',
    panelPx: clampWidth(said.get('panelPx'), PANEL_WIDTHS_PX),
    palettePx: clampWidth(said.get('palettePx'), PALETTE_WIDTHS_PX),
  };
}

/** A width within its limits; the default for an invalid one. */
function clampWidth(text: string | null, { min, initial, max }: typeof PANEL_WIDTHS_PX): number {
  const width = Number(text ?? NaN);
  return Number.isFinite(width) ? Math.round(Math.min(max, Math.max(min, width))) : initial;
}

/** Stores a change, for all pages of this browser. */
export function rememberLayout(change: Partial<Layout>): void {
  const [, now] = new RegExp(`(?:^|; )${LAYOUT_COOKIE}=([^;]*)`).exec(document.cookie) ?? [];
  const next = Object.entries({ ...readLayout(now), ...change }).map(([name, value]) => [
    name,
    String(value),
  ]);
  const value = encodeURIComponent(new URLSearchParams(next).toString());
  document.cookie = `${LAYOUT_COOKIE}=${value}; path=/; max-age=${YEAR_SECONDS}; samesite=lax`;
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return '';
  }
}
