import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Moves the scripts that VitePress writes into a page into separate files, so that the pages' Content-Security-Policy
 * (server/help.ts) allows no inline script at all.
 * @param outDir where the site is built
 * @param base the site's path, such as `/help/`
 * @returns the page without inline scripts
 */
export function moveScriptsOut(html: string, outDir: string, base: string): string {
  return html.replace(/<script([^>]*)>([^<][^]*?)<\/script>/g, (whole, attributes: string, code: string) => {
    if (/\ssrc=/.test(attributes)) return whole;
    const name = `assets/${createHash('sha256').update(code).digest('hex').slice(0, 12)}.js`;
    const file = join(outDir, name);
    if (!existsSync(file)) {
      mkdirSync(join(outDir, 'assets'), { recursive: true });
      writeFileSync(file, code);
    }
    return `<script${attributes} src="${base}${name}"></script>`;
  });
}
