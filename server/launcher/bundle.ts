// Makes one file of each program and all its packages: why and what it saves is in docs/decisions/bundling.md.
import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';

/** The sandbox's files lie beside its sources' folders; so they do beside its bundle's folder. */
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
 * Next stays outside of the bundles, as it finds its own files; esbuild makes them. The others are asked for only in
 * cases that Patchbay has not: PostgreSQL's own client library, and settings of the queue in a TypeScript file.
 */
const EXTERNAL = ['next', 'esbuild', 'pg-native', 'typescript'];

/** CommonJS packages call `require`, which modules lack. The name is one that no source imports. */
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
    // What is bundled is never in development, whatever its environment says.
    define: { 'process.env.NODE_ENV': '"production"' },
    banner: { js: REQUIRE },
    inject: ['server/launcher/source-lines.ts'],
    sourcemap: 'linked',
    sourcesContent: false,
    // A process keeps the text of its program in memory. Smaller syntax would drop names of classes, which packages go by.
    minifyWhitespace: true,
    logLevel: 'silent',
  });
  cpSync(join(root, 'sandbox', 'public'), join(outdir, 'public'), { recursive: true });
  cpSync(join(root, 'drizzle'), join(outdir, 'drizzle'), { recursive: true });
}
