// The load generators: wrk where it is installed, else autocannon; and autocannon at a steady rate. Loopback only.
import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import autocannon from 'autocannon';

const run = promisify(execFile);

/** The body of (a) to (g), 800 bytes of JSON. */
export const ORDER = readFileSync(new URL('./order.json', import.meta.url), 'utf8');
const HEADERS = { 'content-type': 'application/json' };

export interface LoadResult {
  requestsPerSecond: number;
  p50Ms: number;
  p99Ms: number;
  requests: number;
  /** Responses that were neither 2xx nor 302, and connections that broke. */
  errors: number;
  generator: 'wrk' | 'autocannon';
}

const hasWrk = run('wrk', ['--version']).then(
  () => true,
  (error: { code?: unknown }) => error.code !== 'ENOENT',
);

/** Posts the body as fast as the server responds, over this many connections; to several URLs of one server in turn. */
export async function driveFast(
  url: string | readonly string[],
  connections: number,
  seconds: number,
  body = ORDER,
  headers: Record<string, string> = {},
): Promise<LoadResult> {
  const sent = { urls: typeof url === 'string' ? [url] : url, body, headers: { ...HEADERS, ...headers } };
  const drive = (await hasWrk) ? driveWithWrk : driveWithAutocannon;
  return drive(sent, connections, seconds);
}

interface Sent {
  urls: readonly string[];
  body: string;
  headers: Record<string, string>;
}

async function driveWithWrk(
  { urls, body, headers }: Sent,
  connections: number,
  seconds: number,
): Promise<LoadResult> {
  const folder = mkdtempSync(join(tmpdir(), 'patchbay-bench-'));
  try {
    writeFileSync(join(folder, 'body'), body);
    writeFileSync(join(folder, 'paths'), urls.map((url) => `${pathOf(url)}\n`).join(''));
    writeFileSync(join(folder, 'post.lua'), writeScript(folder, headers) + (urls.length > 1 ? IN_TURN : ''));
    const options = [
      '-t1',
      `-c${connections}`,
      `-d${seconds}s`,
      '--timeout',
      '35s',
      '-s',
      join(folder, 'post.lua'),
    ];
    const { stdout } = await run('wrk', [...options, urls[0] ?? '']);
    return readWrk(stdout);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

const pathOf = (url: string): string => new URL(url).pathname;

const writeScript = (folder: string, headers: Record<string, string>): string => `
local folder = ${JSON.stringify(folder)}
local file = io.open(folder .. "/body", "rb")
wrk.method = "POST"
${Object.entries(headers)
  .map(([name, value]) => `wrk.headers[${JSON.stringify(name)}] = ${JSON.stringify(value)}`)
  .join('\n')}
wrk.body = file:read("*a")
file:close()
done = function(summary, latency)
  io.write(string.format("RESULT %d %d %.4f %.4f %d\\n", summary.requests, summary.duration, latency:percentile(50) / 1000,
    latency:percentile(99) / 1000, summary.errors.status + summary.errors.connect + summary.errors.read + summary.errors.write + summary.errors.timeout))
end
`;

/** All requests are built before the load starts: the generator shares the cores with the measured server. */
const IN_TURN = `
local requests, at = {}, 0
init = function()
  for path in io.lines(folder .. "/paths") do requests[#requests + 1] = wrk.format(nil, path) end
end
request = function()
  at = at % #requests + 1
  return requests[at]
end
`;

function readWrk(stdout: string): LoadResult {
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
  { urls, body, headers }: Sent,
  connections: number,
  seconds: number,
  rate?: number,
): Promise<LoadResult> {
  let client = 0;
  const result = await autocannon({
    url: urls[0] ?? '',
    connections,
    duration: seconds,
    method: 'POST',
    body,
    headers,
    ...(rate === undefined ? {} : { overallRate: rate }),
    // Each connection has its share of the URLs, so that no request is held in memory once for each of them.
    ...(urls.length === 1
      ? {}
      : {
          setupClient: (connection: autocannon.Client) => {
            const own = urls.filter((_, index) => index % connections === client % connections);
            client += 1;
            connection.setRequests(
              (own.length > 0 ? own : urls).map((url) => ({
                path: pathOf(url),
                method: 'POST',
                body,
                headers,
              })),
            );
          },
        }),
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
  driveWithAutocannon({ urls: [url], body: ORDER, headers: HEADERS }, 32, seconds, rate);
