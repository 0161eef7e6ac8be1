import { expect, test } from 'vitest';
import { describeAction } from './audit-log.tsx';

test.each([
  ['workflow.published', 'Published a workflow'],
  ['api_key.created', 'Created an API key'],
  ['workflow.draft_run', 'Ran a draft'],
  ['connection.workflow_added', 'Connected a workflow'],
  ['new_thing.half_done', 'New thing half done'],
])('%s: %s', (action, sentence) => {
  expect(describeAction(action)).toBe(sentence);
});
