// @ts-check
// Which room may import which (docs/architecture.md). Checked by `npm test` (step "rooms"); each message says what to do instead.

/** The rooms of lib, lowest first: a room imports only those before it. */
export const ROOMS = [
  'core',
  'variables',
  'identity',
  'engine',
  'secrets',
  'webhooks',
  'messaging',
  'tasks',
  'events',
  'runs',
  'workflows',
  'editor',
  'screens',
  'api',
];

const TESTS = '(\\.test\\.tsx?$|/testing/|^lib/testing/|^e2e/|-for-test\\.ts$|/test-[a-z-]+\\.ts$)';

const upwards = ROOMS.slice(0, -1).map((room, index) => ({
  name: `${room}-imports-lower-rooms-only`,
  severity: 'error',
  comment: `lib/${room} may import ${
    ROOMS.slice(0, index)
      .map((name) => `lib/${name}`)
      .join(', ') || 'no other room'
  }: move what it needs down, or the code that needs it up.`,
  from: { path: `^lib/${room}/`, pathNot: TESTS },
  to: { path: `^lib/(${ROOMS.slice(index + 1).join('|')})/` },
}));

/** @type {import('dependency-cruiser').IConfiguration} */
export default {
  forbidden: [
    {
      name: 'no-cycle-of-files',
      severity: 'error',
      comment: 'Files import each other in a circle: move what both need into a file of its own.',
      from: {},
      to: { circular: true },
    },
    ...upwards,
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '^(node_modules|\\.next|\\.data)' },
    includeOnly: '^(app|components|lib|server|sandbox|e2e|bench|proxy\\.ts)',
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: { extensions: ['.ts', '.tsx', '.mjs'] },
  },
};
