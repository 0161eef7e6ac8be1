import { expect, test } from 'vitest';
import { renderTaskDocs } from './render-task-docs.ts';

test('docs/task-types.md is what the definitions say: `npm run generate` writes it', async () => {
  await expect(renderTaskDocs()).toMatchFileSnapshot('../../docs/task-types.md');
});
