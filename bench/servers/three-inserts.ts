// (b) Bare Node http with a group-committed insert into three tables of the same shape as events, runs and jobs: the practical
// limit of storing every request. It has no tokens, no variables and no workflows.
import { createServer } from 'node:http';
import pg from 'pg';
import { v7 } from 'uuid';

const pool = new pg.Pool({ connectionString: process.env.DATABASE_URL, max: 4 });
await pool.query(`
create table if not exists bare_events (id uuid primary key, workspace_id uuid not null, workflow_id uuid not null,
  kind text not null, outcome text not null, received_at timestamptz not null, headers json not null, body bytea, run_id uuid);
create index if not exists bare_events_workflow on bare_events (workflow_id, id);
create table if not exists bare_runs (id uuid primary key, workspace_id uuid not null, workflow_id uuid not null, version int not null,
  event_id uuid not null, status text not null, epoch int not null, created_at timestamptz not null);
create index if not exists bare_runs_workflow on bare_runs (workflow_id, id);
create table if not exists bare_jobs (id bigint primary key generated always as identity, payload json not null, run_at timestamptz not null);
create index if not exists bare_jobs_run_at on bare_jobs (run_at, id);
truncate bare_events, bare_runs, bare_jobs`);

const INSERT = `
with arrival as (
  select * from unnest($1::uuid[], $2::uuid[], $3::json[], $4::bytea[]) as t(event_id, run_id, headers, body)
), new_events as (
  insert into bare_events select event_id, $5, $6, 'production', 'triggered', now(), headers, body, run_id from arrival
), new_runs as (
  insert into bare_runs select run_id, $5, $6, 1, event_id, 'queued', 0, now() from arrival
)
insert into bare_jobs (payload, run_at) select json_build_object('run_id', run_id), now() from arrival`;

interface Waiting {
  headers: string;
  body: Buffer;
  answer: () => void;
}

const workspaceId = v7();
const workflowId = v7();
const LANES = 2;
let queue: Waiting[] = [];
let underWay = 0;
let scheduled = false;

function schedule(): void {
  if (scheduled || underWay >= LANES || queue.length === 0) return;
  scheduled = true;
  setImmediate(() => {
    scheduled = false;
    void flush();
  });
}

async function flush(): Promise<void> {
  const batch = queue;
  queue = [];
  underWay += 1;
  const ids = batch.map(() => v7());
  const runIds = batch.map(() => v7());
  const headers = batch.map((entry) => entry.headers);
  const bodies = batch.map((entry) => entry.body);
  await pool.query({
    name: 'insert',
    text: INSERT,
    values: [ids, runIds, headers, bodies, workspaceId, workflowId],
  });
  underWay -= 1;
  for (const entry of batch) entry.answer();
  schedule();
}

const server = createServer((req, res) => {
  const chunks: Buffer[] = [];
  req.on('data', (chunk: Buffer) => chunks.push(chunk));
  req.on('end', () => {
    const answer = (): void => {
      res.writeHead(200, { 'Content-Type': 'application/json', 'Content-Length': 21 });
      res.end('{"status":"received"}');
    };
    queue.push({ headers: JSON.stringify(req.headers), body: Buffer.concat(chunks), answer });
    schedule();
  });
});
server.listen(Number(process.env.PORT), '127.0.0.1', () => process.send?.({ type: 'ready' }));
process.on('disconnect', () => process.exit(0));
