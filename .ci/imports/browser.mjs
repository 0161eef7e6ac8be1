// @ts-check
// Nothing that needs the server reaches the browser: what components import is followed to its end, types left out.
import { builtinModules } from 'node:module';
import { options, TEST_FILES } from '../../.dependency-cruiser.mjs';

/** Only `next-auth/react` is for the browser. */
const SERVER_LIBRARIES = 'drizzle-orm/|pg/|next-auth/(?!react/)|pino/|undici/';

/** @type {import('dependency-cruiser').IConfiguration} */
export default {
  forbidden: [
    {
      name: 'nothing-of-the-server-reaches-the-browser',
      severity: 'error',
      comment:
        'A component loads this through the imports that are listed: import only its types, or move what the component needs into a file of lib that needs no server.',
      from: { path: '^components/' },
      to: {
        path: `^node_modules/(${SERVER_LIBRARIES})|^(node:)?(${builtinModules.join('|')})$`,
        reachable: true,
      },
    },
  ],
  options: {
    ...options,
    includeOnly: undefined,
    exclude: { path: TEST_FILES },
    // Without the imports that are gone once TypeScript is compiled.
    tsPreCompilationDeps: false,
  },
};
