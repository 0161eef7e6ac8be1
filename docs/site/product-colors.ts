// The help has the product's colors and fonts: app/globals.css is the one list of them.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const STYLE = /\/theme\/style\.css$/;

/** A plugin of Vite: puts the product's named colors and fonts, as custom properties, before the site's own style. */
export const addProductColors = (root: string) => ({
  name: 'product-colors',
  enforce: 'pre' as const,
  transform: (code: string, id: string): string | null =>
    STYLE.test(id) ? `:root {\n${readNamed(root).join('\n')}\n}\n${code}` : null,
});

/** @throws Error when the product's style has an unexpected form */
function readNamed(root: string): string[] {
  const style = readFileSync(join(root, 'app', 'globals.css'), 'utf8');
  const named = style.match(/^ {2}--(?:color-[a-z-]+|font-(?:sans|mono)):[^;*]+;$/gm) ?? [];
  if (named.length === 0) throw new Error('app/globals.css names no colors.');
  return named;
}
