import { expect, test } from 'vitest';
import { describeDigest, type GatheredAlert } from './send-digests.ts';

const failed = (name: string, minute: number): GatheredAlert => ({
  workflowId: name,
  content: {
    title: `“${name}”: a run failed`,
    paragraphs: ['…'],
    link: { label: 'Open the run', path: `/runs/${name}` },
    workflowName: name,
  },
  createdAt: new Date(Date.UTC(2026, 10, 22, 20, minute)),
});

test('counts workflows, lists each alert with its link, and says what to do', () => {
  const digest = describeDigest('run_failed', [failed('a', 1), failed('b', 2), failed('a', 4)], 'UTC');
  expect(digest.title).toBe('2 more workflows failed');
  expect(digest.paragraphs[0]).toContain(
    '3 more came from Nov 22, 2026, 20:01 UTC to Nov 22, 2026, 20:04 UTC:',
  );
  expect(digest.items?.map(({ text, path }) => [text, path])).toEqual([
    ['“a”: a run failed', '/runs/a'],
    ['“b”: a run failed', '/runs/b'],
    ['“a”: a run failed', '/runs/a'],
  ]);
  expect(digest.paragraphs[1]).toContain('Open the newest run');
});

test('instants are in the zone of the workspace, with its name', () => {
  const digest = describeDigest('run_failed', [failed('a', 1)], 'Asia/Kolkata');
  expect(digest.paragraphs[0]).toContain('One more came on Nov 23, 2026, 01:31 (Asia/Kolkata):');
});

test('one workflow is one, and other kinds have words of their own', () => {
  expect(describeDigest('run_failed', [failed('a', 1)], 'UTC').title).toBe('1 more workflow failed');
  expect(describeDigest('silence', [failed('a', 1), failed('b', 1)], 'UTC').title).toBe(
    '2 more workflows stopped getting events',
  );
  expect(describeDigest('payload_drift', [failed('a', 1)], 'UTC').title).toBe(
    '1 more workflow with different data than before',
  );
});

test('a digest of thousands lists 500', () => {
  const many = Array.from({ length: 2000 }, (_, n) => failed(String(n), 1));
  expect(describeDigest('run_failed', many, 'UTC')).toMatchObject({
    count: 2000,
    title: '2000 more workflows failed',
  });
  expect(describeDigest('run_failed', many, 'UTC').items).toHaveLength(500);
});
