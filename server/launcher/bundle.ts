// Bundles each program and all its packages into one file; docs/decisions/bundling.md has the reasons and savings.
import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';

/** The sandbox's files are beside its sources' folders, and so have to be beside its bundle's folder. */
const ENTRY_POINTS = {
  patchbay: 'server/patchbay.ts',
  mcp: 'server/mcp.ts',
  start: 'server/start.ts',
  'end-abandoned': 'server/end-abandoned.ts',
  web: 'server/web.ts',
  'body-thread': 'server/body-thread.ts',
  'form-parts': 'server/form-parts.ts',
  worker: 'server/worker.ts',
  'stand-in': 'server/stand-in.ts',
  traces: 'server/traces.ts',
  'sandbox/main': 'sandbox/main.ts',
};

/**
 * Next stays outside the bundles, because it locates its own files. The others are only loaded in cases that do not occur in
 * Patchbay: PostgreSQL's own client library, and settings of the queue in a TypeScript file.
 */
const EXTERNAL = ['next', 'esbuild', 'pg-native', 'typescript'];

/** CommonJS packages call `require`, which modules lack. No source imports this name. */
const REQUIRE = `import { createRequire as bundleRequire } from 'node:module'; const require = bundleRequire(import.meta.url);`;

/**
 * Bundles launcher, web, worker and sandbox, with maps that name the lines of the sources, and the migrations.
 * @param outdir a new folder, directly in the root folder
 * @throws Error whose message lists what esbuild says
 */
export async function bundlePrograms(root: string, outdir: string): Promise<void> {
  await build({
    absWorkingDir: root,
    entryPoints: ENTRY_POINTS,
    outdir,
    outExtension: { '.js': '.mjs' },
    bundle: true,
    platform: 'node',
    target: 'node24',
    format: 'esm',
    external: EXTERNAL,
    // Bundled code is never in development mode, whatever its environment says.
    define: { 'process.env.NODE_ENV': '"production"' },
    banner: { js: REQUIRE },
    inject: ['server/launcher/source-lines.ts'],
    sourcemap: 'linked',
    sourcesContent: false,
    // A process keeps the text of its program in memory. Minified names would break packages that use class names.
    minifyWhitespace: true,
    logLevel: 'silent',
  });
  cpSync(join(root, 'sandbox', 'public'), join(outdir, 'public'), { recursive: true });
  cpSync(join(root, 'drizzle'), join(outdir, 'drizzle'), { recursive: true });
}
