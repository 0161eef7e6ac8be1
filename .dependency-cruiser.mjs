// @ts-check
// Which part of the code may import which (docs/architecture.md). Part of the step "lint" of `npm test`; each comment says what to do
// instead. What the browser loads and where tests get their support from is checked by .ci/imports.
import { readFileSync } from 'node:fs';

/** The rooms of lib, lowest first: a room imports only those before it. */
export const ROOMS = [
  'core',
  'variables',
  'mail',
  'identity',
  'engine',
  'secrets',
  'webhooks',
  'approvals',
  'messaging',
  'tasks',
  'events',
  'runs',
  'workflows',
  'lists',
  'editor',
  'alerts',
  'screens',
  'exports',
  'api',
  'mcp',
];

/** Tests and their support. Left out here, so that no test hides or causes a cycle. */
export const TEST_FILES = '\\.test\\.tsx?$|(^|/)testing/|^e2e/';

/**
 * @param {string} name
 * @param {import('dependency-cruiser').IRegularForbiddenRuleType['from']} from
 * @param {import('dependency-cruiser').IRegularForbiddenRuleType['to']} to
 * @param {string} comment what to do instead
 * @returns {import('dependency-cruiser').IRegularForbiddenRuleType}
 */
const forbid = (name, from, to, comment) => ({ name, severity: 'error', comment, from, to });
/** @param {string[]} names */
const folder = (...names) => ({ path: `^(${names.join('|')})/` });
/** @param {string[]} names */
const library = (...names) => ({ path: `^node_modules/(@types/)?(${names.join('|')})/` });
const SQL = library('drizzle-orm', 'pg');

/** @type {import('dependency-cruiser').IConfiguration['forbidden']} */
const cycles = [
  forbid(
    'no-cycle-of-files',
    {},
    { circular: true },
    'Files import each other in a circle: move what both need into its own file.',
  ),
  {
    ...forbid(
      'no-cycle-of-folders',
      {},
      { circular: true },
      'Folders import each other in a circle: move what both need into a folder below them, or the file that closes the circle to the folder that uses it.',
    ),
    scope: 'folder',
  },
];

const rooms = ROOMS.slice(0, -1).map((room, index) =>
  forbid(
    `${room}-imports-lower-rooms-only`,
    folder(`lib/${room}`),
    folder(...ROOMS.slice(index + 1).map((higher) => `lib/${higher}`)),
    `lib/${room} may import ${
      ROOMS.slice(0, index)
        .map((name) => `lib/${name}`)
        .join(', ') || 'no other room'
    }: move what it needs down, or the code that needs it up.`,
  ),
);

/** @param {string} room */
const readmeOf = (room) => `lib/${room}/README.md`;

/**
 * The files and folders (ending in a slash) that a room's README lists under "Enter by".
 * @param {string} readme its text
 */
export function doorsOf(readme) {
  const [paragraph = ''] = /^Enter by:[^]*?(?=\n\n|$(?![^]))/m.exec(readme) ?? [];
  return [...paragraph.matchAll(/`([^`]+\/[^`]*)`/g)].map(([, door = '']) => door);
}

/** @param {string} text */
const literal = (text) => text.replaceAll(/[.\\+*?^$()[\]{}|]/g, '\\$&');

/** A room is entered by the files at its root and by the files that its README lists, so that everything else can change freely. */
const doors = ROOMS.map((room) => {
  const readme = readFileSync(new URL(readmeOf(room), import.meta.url), 'utf8');
  const open = doorsOf(readme).map((door) =>
    door.endsWith('/') ? `${literal(door)}[^/]+$` : `${literal(door)}$`,
  );
  return forbid(
    `${room}-is-entered-by-its-doors`,
    { pathNot: `^lib/${room}/` },
    { path: `^lib/${room}/.+/`, pathNot: open.map((path) => `^lib/${room}/${path}`) },
    `lib/${room} is entered by the files at its root and those that ${readmeOf(room)} names under "Enter by": use one of them. Only what the room is to offer others is added there.`,
  );
});

/** The rules that also apply to tests. */
export const directions = [
  forbid(
    'lib-never-imports-app-or-components',
    folder('lib'),
    folder('app', 'components'),
    'lib never imports app or components: return data, and let them show it.',
  ),
  forbid(
    'components-import-lib-only',
    folder('components'),
    folder('app', 'server', 'sandbox'),
    'components import lib only: move the shared part into lib, or let the page pass it in.',
  ),
  forbid(
    'app-imports-lib-and-components-only',
    folder('app'),
    folder('server', 'sandbox'),
    'Routes import lib and components: move what they share with the processes into lib.',
  ),
  forbid(
    'server-imports-lib-only',
    { ...folder('server'), pathNot: TEST_FILES },
    folder('app', 'components'),
    'The processes import lib; Next.js loads app and components: move the shared part into lib.',
  ),
  forbid(
    'sandbox-stands-alone',
    folder('sandbox'),
    folder('app', 'components', 'lib', 'server'),
    'The sandbox imports nothing of Patchbay: it plays the platform, so it keeps its own code.',
  ),
];

const production = [
  forbid(
    'production-never-imports-the-sandbox',
    folder('lib', 'server'),
    folder('sandbox'),
    'The sandbox is its own program: speak HTTP to it.',
  ),
  forbid(
    'lib-never-imports-server',
    folder('lib'),
    folder('server'),
    'lib knows no process: move what it needs into a room, or pass it in.',
  ),
  forbid(
    'tasks-stand-apart',
    { path: '^lib/tasks/([^/]+)/' },
    { path: '^lib/tasks/[^/]+/', pathNot: ['^lib/tasks/$1/', '^lib/tasks/conditions/'] },
    'A task never imports another task: move the shared part into lib/tasks or a lower room.',
  ),
];

const libraries = [
  forbid(
    'lib-knows-no-next-and-no-react',
    { path: '^lib/', pathNot: '^lib/identity/auth/' },
    library('next', 'react', 'react-dom'),
    'Only lib/identity/auth knows Next.js: do this in app or components.',
  ),
  forbid(
    'sql-stays-in-verbs',
    {
      path: '^(app|components|lib/(engine|variables)|lib/tasks/[^/]+)/',
      pathNot: '^lib/engine/(store|schedules|schema|queue)/',
    },
    SQL,
    'Queries live in lib/core/db, in the verbs of the rooms and in lib/engine/store: add a verb there and call it.',
  ),
  forbid(
    'only-the-canvas-draws',
    { path: '^(app|components|lib)/', pathNot: '^components/canvas/' },
    library('@xyflow'),
    'Only components/canvas uses @xyflow/react: export a component from there.',
  ),
];

/** @type {import('dependency-cruiser').IReachabilityForbiddenRuleType} */
const withoutNext = {
  name: 'commands-and-workers-load-nothing-of-next',
  severity: 'error',
  comment:
    'Only web processes can load Next.js: what needs a request stands in a file of its own, and only its type is imported.',
  from: { path: '^server/(patchbay|worker|start)\\.ts$' },
  to: { path: '^node_modules/(next|react|react-dom)/', reachable: true },
};

/** How imports are read; .ci/imports/tests.mjs reads them the same way. */
export const options = {
  doNotFollow: { path: '^node_modules/' },
  includeOnly: '^(app|components|lib|server|sandbox|e2e|bench|proxy\\.ts|node_modules)',
  tsPreCompilationDeps: true,
  skipAnalysisNotInRules: true,
  enhancedResolveOptions: {
    extensions: ['.ts', '.tsx', '.mjs', '.js', '.cjs', '.json'],
    exportsFields: ['exports'],
    conditionNames: ['import', 'node', 'default'],
  },
};

/** @type {import('dependency-cruiser').IConfiguration} */
export default {
  forbidden: [...cycles, ...rooms, ...doors, ...directions, ...production, ...libraries, withoutNext],
  options: { ...options, exclude: { path: `^\\.(next|pages|programs|data)|${TEST_FILES}` } },
};
