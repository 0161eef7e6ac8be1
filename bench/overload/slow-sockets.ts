// Runs in its own thread: holds many nearly idle sockets. A third send their headers byte by byte, a third their bodies, and a
// third read their responses that slowly. Sockets that the server closes are reopened. Reports 'open' once the initial data has
// been exchanged: opening them is a load, holding them is not.
import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { parentPort, workerData } from 'node:worker_threads';

export interface SlowSocketsOptions {
  count: number;
  /** Of a workflow whose response repeats `text`. */
  echoUrl: string;
}

export interface SlowSocketsReport {
  /** Number of open sockets at the end. */
  open: number;
  /** Number of sockets that the server closed. */
  closed: number;
}

/** Each socket sends or reads once in this time; they take turns, like independent callers. */
const STEP_MS = 1000;
const TURNS = 50;
const READ_BYTES = 512;
/** More than the buffers of both sides. */
const ANSWER_BYTES = 1_000_000;
const ANSWERS = 4;
/** After this time without traffic, the initial data has arrived. */
const QUIET_MS = 1000;
const OPENING_PATIENCE_MS = 120_000;

const { count, echoUrl } = workerData as SlowSocketsOptions;
const { hostname, port, pathname, host } = new URL(echoUrl);
const startOf = (bodyBytes: number): string =>
  `POST ${pathname} HTTP/1.1\r\nHost: ${host}\r\nContent-Type: application/json\r\nContent-Length: ${bodyBytes}\r\n`;
const large = JSON.stringify({ text: 'x'.repeat(ANSWER_BYTES) });

interface Slow {
  begin(socket: Socket): void;
  step(socket: Socket): void;
  /** Whether responses are read as they arrive; otherwise a step reads. */
  isAnswered: boolean;
}

const KINDS: readonly Slow[] = [
  {
    begin: (socket) => void socket.write(`${startOf(100)}X-Slow: `),
    step: (socket) => void socket.write('a'),
    isAnswered: false,
  },
  {
    begin: (socket) => void socket.write(`${startOf(1_000_000)}\r\n{"text":"`),
    step: (socket) => void socket.write('a'),
    isAnswered: false,
  },
  {
    begin(socket) {
      // With a listener for 'readable', a socket is read only on request.
      socket.on('readable', () => undefined);
      for (let answer = 0; answer < ANSWERS; answer += 1)
        socket.write(`${startOf(Buffer.byteLength(large))}\r\n${large}`);
    },
    step: (socket) => void socket.read(READ_BYTES),
    isAnswered: true,
  },
];

interface Open {
  kind: Slow;
  turn: number;
}

const sockets = new Map<Socket, Open>();
let closed = 0;
let isOver = false;

function open({ kind, turn }: Open): void {
  const socket = connect(Number(port), hostname, () => kind.begin(socket));
  sockets.set(socket, { kind, turn });
  // The other kinds are answered when the server's timeout is over.
  if (!kind.isAnswered) socket.resume();
  socket.on('error', () => undefined);
  socket.on('close', () => {
    sockets.delete(socket);
    if (isOver) return;
    closed += 1;
    setTimeout(() => open({ kind, turn }), STEP_MS);
  });
}

/** Bytes transferred so far; undefined while some are not open or wait for their response to start. */
function countMoved(): number | undefined {
  if (sockets.size < count) return undefined;
  let moved = 0;
  for (const [socket, { kind }] of sockets) {
    if (socket.connecting || (kind.isAnswered && socket.bytesRead === 0)) return undefined;
    moved += socket.bytesRead + socket.bytesWritten - socket.writableLength;
  }
  return moved;
}

for (let index = 0; index < count; index += 1)
  open({ kind: KINDS[index % KINDS.length] as Slow, turn: index % TURNS });
let moved = countMoved();
let movedAt = performance.now();
for (
  const deadline = movedAt + OPENING_PATIENCE_MS;
  performance.now() < deadline;
  await sleep(QUIET_MS / 20)
) {
  const now = countMoved();
  if (now === undefined || now !== moved) movedAt = performance.now();
  else if (performance.now() - movedAt > QUIET_MS) break;
  moved = now;
}
parentPort?.postMessage('open');
let turn = 0;
const timer = setInterval(() => {
  turn = (turn + 1) % TURNS;
  for (const [socket, slow] of sockets) if (slow.turn === turn) slow.kind.step(socket);
}, STEP_MS / TURNS);
parentPort?.once('message', () => {
  isOver = true;
  clearInterval(timer);
  const report: SlowSocketsReport = { open: sockets.size, closed };
  for (const socket of sockets.keys()) socket.destroy();
  parentPort?.postMessage(report);
});
