import { afterEach, expect, test, vi } from 'vitest';
import { createTestContext } from '#lib/identity/testing/test-context.ts';
import { TestEngine } from '#lib/runs/testing/test-engine.ts';
import { callingGraph } from '#lib/workflows/testing/test-graphs.ts';
import { showSearch, switchSearchOff, switchSearchOn } from './search.ts';

afterEach(() => vi.unstubAllEnvs());

test('the index is made, shown and deleted; the audit log has who did it, once', async () => {
  const context = await createTestContext();
  const { db, workspaceId } = context.ctx;
  vi.stubEnv('BASE_URL', '');
  vi.stubEnv('DATABASE_URL', db.$client.options.connectionString);
  let [printed, given]: [string, unknown] = ['', undefined];
  const output = {
    say: () => undefined,
    line: () => true,
    give: (value: unknown, lines: readonly string[]) => void ([given, printed] = [value, lines.join('\n')]),
  };
  const engine = new TestEngine(context.ctx);
  const workflow = await engine.publish(callingGraph());
  for (let count = 0; count < 3; count += 1) await engine.receive(workflow, '{"note":"quinoa"}');
  // They arrived long enough ago that none like them is stored later.
  await db.$client.query(`update events set id = ('00000000-0000' || right(id::text, 23))::uuid`);
  try {
    await showSearch(output);
    expect(printed).toMatch(/^Full-text search is off/);
    await switchSearchOn(output, { waits: false });
    expect(printed).toContain('is on: 0 events indexed, 3 events to do');
    await switchSearchOn(output, { waits: true });
    expect(printed).toContain('is on: 3 events indexed, 0 events to do');
    await showSearch(output);
    expect(given).toMatchObject({ is_on: true, indexed: 3, waiting: 0 });
    await switchSearchOff(output);
    expect(given).toMatchObject({ is_on: false, indexed: 0 });
    await switchSearchOff(output);
    const { rows } = await db.$client.query(
      `select actor_name, action from audit_entries where workspace_id = $1 and action like 'full_text.%' order by id`,
      [workspaceId],
    );
    const byCommand = { actor_name: 'Command line' };
    expect(rows).toEqual([
      { ...byCommand, action: 'full_text.enabled' },
      { ...byCommand, action: 'full_text.disabled' },
    ]);
  } finally {
    await context.end();
  }
});
