// A list of recipients: its rows are stored, checked and started, and how their runs ended is recorded.
import { createList, readObjects } from '#lib/lists/upload-list.ts';
import type { Scenario } from '../scenario.ts';
import type { Stage } from '../stage.ts';
import { call, request } from './parts.ts';

const STARTED = 3;

/** One without a number, and one whose number an earlier one has, are skipped. */
const rowsOf = ({ id }: Stage) => [
  ...Array.from({ length: STARTED }, (_, row) => ({ to: `1555010100${row}`, mark: `${id}x${row + 1}` })),
  { to: '', mark: `${id}x8` },
  { to: '+1 555 010 1000', mark: `${id}x9` },
];

interface Found {
  state: string;
  started: number;
  runs: number;
  skipped: number;
  wrong: number;
}

/** `wrong`: rows that say something else than their run. */
const FOUND = `
select l.state, count(r.run_id)::int as started, count(distinct r.run_id)::int as runs,
  count(*) filter (where r.state = 'skipped' and r.run_id is null)::int as skipped,
  count(*) filter (where r.run_id is not null and r.state is distinct from u.status)::int as wrong
from send_lists l join send_list_rows r on r.list_id = l.id left join runs u on u.id = r.run_id
where l.workflow_id = $1 group by l.id`;
/** Neither the pace nor the pauses of the job are waited for. */
const HURRY = [
  `update send_lists set work_at = now(), paced_at = now() - interval '1 second'
   where workflow_id = $1 and work_at > now() and id in (select id from send_lists for update skip locked)`,
  `update graphile_worker._private_jobs set run_at = now()
   where key = 'lists' and $1::uuid is not null and locked_at is null and run_at > now()`,
];

async function startList(stage: Stage): Promise<void> {
  const { control } = stage.lane;
  const { workflowId } = stage.workflow;
  const find = async (): Promise<Found[]> => (await control.query<Found>(FOUND, [workflowId])).rows;
  await stage.act((ctx) =>
    createList(ctx, readObjects(rowsOf(stage)), { workflowId, name: 'Guests', start: true }),
  );
  stage.startWorker();
  await stage.waitFor(async () => {
    for (const text of HURRY) await control.query(text, [workflowId]);
    return (await find())[0]?.state === 'finished';
  }, 'the end of the list');
  await stage.until('over');
  const lists = await find();
  const [list] = lists;
  const isRight =
    lists.length === 1 &&
    list?.started === STARTED &&
    list.runs === STARTED &&
    list.skipped === 2 &&
    list.wrong === 0;
  const { length } = await stage.runIds();
  if (!isRight || length !== STARTED)
    stage.violations.push(`${length} runs of rows, and the lists are ${JSON.stringify(lists)}`);
  await control.query('delete from send_lists where workflow_id = $1', [workflowId]);
}

export const LIST_SCENARIOS: readonly Scenario[] = [
  {
    name: 'a list of recipients',
    tasks: (stage) => [call(stage, 2)],
    act: startList,
    effects: [request(2)],
  },
];
