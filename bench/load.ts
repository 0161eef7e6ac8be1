// The load generators: wrk where it is installed, else autocannon; and autocannon at a steady rate. Loopback only.
import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import autocannon from 'autocannon';

const run = promisify(execFile);
const bodyFile = new URL('./order.json', import.meta.url).pathname;
const BODY = readFileSync(bodyFile, 'utf8');

export interface LoadResult {
  requestsPerSecond: number;
  p50Ms: number;
  p99Ms: number;
  requests: number;
  /** Answers that were neither 2xx nor 302, and connections that broke. */
  errors: number;
  generator: 'wrk' | 'autocannon';
}

const hasWrk = run('wrk', ['--version']).then(
  () => true,
  (error: { code?: unknown }) => error.code !== 'ENOENT',
);

/** Posts the order as fast as the server answers, over so many connections. */
export async function driveFast(url: string, connections: number, seconds: number): Promise<LoadResult> {
  return (await hasWrk)
    ? driveWithWrk(url, connections, seconds)
    : driveWithAutocannon(url, connections, seconds);
}

async function driveWithWrk(url: string, connections: number, seconds: number): Promise<LoadResult> {
  const script = join(mkdtempSync(join(tmpdir(), 'patchbay-bench-')), 'post.lua');
  writeFileSync(
    script,
    `wrk.method = "POST"
wrk.headers["Content-Type"] = "application/json"
local file = io.open(${JSON.stringify(bodyFile)}, "rb")
wrk.body = file:read("*a")
file:close()
done = function(summary, latency)
  io.write(string.format("RESULT %d %d %.4f %.4f %d\\n", summary.requests, summary.duration, latency:percentile(50) / 1000,
    latency:percentile(99) / 1000, summary.errors.status + summary.errors.connect + summary.errors.read + summary.errors.write + summary.errors.timeout))
end`,
  );
  const { stdout } = await run('wrk', [
    '-t1',
    `-c${connections}`,
    `-d${seconds}s`,
    '--timeout',
    '35s',
    '-s',
    script,
    url,
  ]);
  const numbers = /RESULT (\S+) (\S+) (\S+) (\S+) (\S+)/.exec(stdout)?.slice(1).map(Number);
  if (!numbers) throw new Error(`wrk said something else than expected:\n${stdout}`);
  const [requests = 0, microseconds = 1, p50Ms = 0, p99Ms = 0, errors = 0] = numbers;
  return {
    requestsPerSecond: requests / (microseconds / 1e6),
    p50Ms,
    p99Ms,
    requests,
    errors,
    generator: 'wrk',
  };
}

async function driveWithAutocannon(
  url: string,
  connections: number,
  seconds: number,
  rate?: number,
): Promise<LoadResult> {
  const result = await autocannon({
    url,
    connections,
    duration: seconds,
    method: 'POST',
    body: BODY,
    headers: { 'content-type': 'application/json' },
    ...(rate === undefined ? {} : { overallRate: rate }),
  });
  return {
    requestsPerSecond: result.requests.total / result.duration,
    p50Ms: result.latency.p50,
    p99Ms: result.latency.p99,
    requests: result.requests.total,
    errors: result.non2xx + result.errors + result.timeouts,
    generator: 'autocannon',
  };
}

/** Posts the order at a steady rate. */
export const driveSteadily = (url: string, rate: number, seconds: number): Promise<LoadResult> =>
  driveWithAutocannon(url, 32, seconds, rate);
