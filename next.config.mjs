// @ts-check
import { existsSync } from 'node:fs';
import { join } from 'node:path';

/** For pages and the API; webhook responses have the same headers through either door (lib/webhooks). */
const SECURITY_HEADERS = [
  { key: 'X-Content-Type-Options', value: 'nosniff' },
  { key: 'X-Frame-Options', value: 'DENY' },
  { key: 'Referrer-Policy', value: 'same-origin' },
  { key: 'Cross-Origin-Opener-Policy', value: 'same-origin' },
  { key: 'Permissions-Policy', value: 'camera=(), geolocation=(), microphone=(), payment=(), usb=()' },
];

/**
 * Responses that are not pages may do nothing if a browser shows them (lib/core/http/answer-headers.ts); pages get theirs in
 * proxy.ts.
 */
const NO_PAGE = [
  ...SECURITY_HEADERS,
  { key: 'Content-Security-Policy', value: "default-src 'none'; sandbox" },
];

/** In development Node loads these server libraries unbundled, so that the first page compiles faster. */
const LOADED_IN_DEVELOPMENT = [
  '@aws-sdk/client-s3',
  '@aws-sdk/s3-request-presigner',
  '@fastify/busboy',
  '@modelcontextprotocol/server',
  '@opentelemetry/exporter-trace-otlp-proto',
  '@opentelemetry/sdk-trace',
  '@simplewebauthn/server',
  'drizzle-orm',
  'file-type',
  'nodemailer',
  'otpauth',
  'zod',
];

const isBuild = process.env.NODE_ENV === 'production';
/** The first build is the only one that most users need: only later ones leave a cache for the next. */
const wasBuilt = existsSync(join(import.meta.dirname, '.pages'));

/** @type {import('next').NextConfig} */
export default {
  // It builds in `.next`; a web process serves the build that it started with (server/pages.ts).
  distDir: process.env.PATCHBAY_PAGES ?? '.next',
  poweredByHeader: false,
  reactStrictMode: true,
  serverExternalPackages: [
    ...['graphile-worker', 'handlebars', 'openid-client', 'pg', 'pino', 're2js'],
    ...(process.env.NODE_ENV === 'development' ? LOADED_IN_DEVELOPMENT : []),
  ],
  // Drafts and imports (lib/workflows/draft-size.ts); below the 10 MB at which Next would truncate requests that pass proxy.ts.
  experimental: {
    serverActions: { bodySizeLimit: '9mb' },
    turbopackFileSystemCacheForBuild: wasBuilt,
    // Source maps of built pages are not used (docs/decisions/bundling.md).
    turbopackSourceMaps: !isBuild,
    // A page is loaded when it is first asked for: all of them at the start are a third of a web process's processor time there.
    preloadEntriesOnStart: false,
  },
  // Our pictures already have their final size: no resizing on request (`/_next/image`).
  images: { unoptimized: true },
  // Not guessed from lock files in parent folders.
  turbopack: { root: import.meta.dirname },
  // `npm test` checks the types of everything; a build at a user's first start need not do it again.
  typescript: { ignoreBuildErrors: true },
  headers: async () => [
    { source: '/((?!webhook/|webhook-test/).*)', headers: SECURITY_HEADERS },
    { source: '/resume/:token', headers: [{ key: 'Referrer-Policy', value: 'no-referrer' }] },
    { source: '/(webhook|webhook-test)/:token/:rest+', headers: NO_PAGE },
    { source: '/(api|hooks|media)/:path*', headers: NO_PAGE },
  ],
};
