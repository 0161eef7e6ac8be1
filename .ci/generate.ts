// `npm run generate`: writes everything generated (docs of task types, settings and commands, types of the client,
// picture of the rooms). Each is a file snapshot of the test that finds it stale.
import { dirname } from 'node:path';
import { generatorParameters, listGenerators } from './generators.ts';
import { runTool } from './run-tool.ts';

const root = dirname(import.meta.dirname);
await runTool(root, 'vitest', generatorParameters(listGenerators(root)), {}).catch((error: unknown) => {
  console.error((error as Error).message);
  process.exitCode = 1;
});
