// The statements of sending, holds and consent in memory behave like those on PostgreSQL, transactions included.
import { expect, test } from 'vitest';
import { newId } from '#lib/core/ids.ts';
import { setUpReplay } from '#lib/engine/testing/simulation/replay.ts';
import { STATEMENTS } from '#lib/engine/testing/simulation/statements.ts';
import { simulate } from '#lib/engine/testing/simulation/simulate.ts';
import { customersModel } from './testing/simulation/model.ts';
import { namesOf } from './testing/simulation/tables.ts';

const SEEDS = Array.from({ length: 20 }, (_, index) => 1 + index * 7);

const replay = setUpReplay();

test.each(SEEDS)('PostgreSQL answers as the simulated database does, seed %i', async (seed) => {
  const model = customersModel();
  const result = await simulate(model.makeSchedule(seed), { model, keepsExecuted: true });
  const workspaceId = [...result.tables.workflows.values()][0]?.workspace_id;
  await replay().play(result, async () => {
    await replay().client.query(
      `truncate customer_names, customer_holds, customer_consents, consent_changes, send_rates, send_turns`,
    );
    for (const customer of [0, 1])
      await replay().client.query(
        `insert into customer_names (workspace_id, name, customer_id, business_account_id) select $1, unnest($2::text[]), $3, ''`,
        [workspaceId, namesOf(customer), newId()],
      );
  });
});

test('all statements are among them', () => {
  const own = Object.keys(customersModel().statements).filter((name) => !Object.hasOwn(STATEMENTS, name));
  expect([...replay().played]).toEqual(expect.arrayContaining([...own, 'commit', 'rollback']));
});
