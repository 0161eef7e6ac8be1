// `npm run generate`: writes everything generated (docs of task types, settings and commands, types of the client,
// picture of the rooms). Each is a file snapshot of the test that finds it stale.
import { globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { runTool } from './run-tool.ts';

const root = dirname(import.meta.dirname);
const tests = globSync('{docs,lib}/**/*.test.ts', { cwd: root }).filter((file) =>
  readFileSync(join(root, file), 'utf8').includes('toMatchFileSnapshot('),
);
await runTool(root, 'vitest', ['run', '--project', 'pure', '--update=all', ...tests], {}).catch(
  (error: unknown) => {
    console.error((error as Error).message);
    process.exitCode = 1;
  },
);
