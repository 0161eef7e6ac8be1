// Runs as a thread of its own: holds very many sockets on which next to nothing moves. A third send their headers byte by byte,
// a third their bodies, and a third read their answers that slowly. Those that the server closes are opened again.
import { connect, type Socket } from 'node:net';
import { parentPort, workerData } from 'node:worker_threads';

export interface SlowSocketsOptions {
  count: number;
  /** Of a workflow whose answer repeats `text`. */
  echoUrl: string;
}

export interface SlowSocketsReport {
  /** How many were open at the end. */
  open: number;
  /** How many the server closed. */
  closed: number;
}

const STEP_MS = 1000;
const READ_BYTES = 512;
/** More than the buffers of both ends hold. */
const ANSWER_BYTES = 1_000_000;
const ANSWERS = 4;

const { count, echoUrl } = workerData as SlowSocketsOptions;
const { hostname, port, pathname, host } = new URL(echoUrl);
const startOf = (bodyBytes: number): string =>
  `POST ${pathname} HTTP/1.1\r\nHost: ${host}\r\nContent-Type: application/json\r\nContent-Length: ${bodyBytes}\r\n`;
const large = JSON.stringify({ text: 'x'.repeat(ANSWER_BYTES) });

interface Slow {
  begin(socket: Socket): void;
  step(socket: Socket): void;
}

const KINDS: readonly Slow[] = [
  {
    begin: (socket) => void socket.write(`${startOf(100)}X-Slow: `),
    step: (socket) => void socket.write('a'),
  },
  {
    begin: (socket) => void socket.write(`${startOf(1_000_000)}\r\n{"text":"`),
    step: (socket) => void socket.write('a'),
  },
  {
    begin(socket) {
      // Listened to, a socket is read only when it is asked to.
      socket.on('readable', () => undefined);
      for (let answer = 0; answer < ANSWERS; answer += 1)
        socket.write(`${startOf(Buffer.byteLength(large))}\r\n${large}`);
    },
    step: (socket) => void socket.read(READ_BYTES),
  },
];

const sockets = new Map<Socket, Slow>();
let closed = 0;
let isOver = false;

function open(kind: Slow): Promise<void> {
  return new Promise((resolve) => {
    const socket = connect(Number(port), hostname, () => {
      kind.begin(socket);
      resolve();
    });
    sockets.set(socket, kind);
    // The other kinds are answered when the server has had enough of them.
    if (kind !== KINDS[2]) socket.resume();
    socket.on('error', () => undefined);
    socket.on('close', () => {
      sockets.delete(socket);
      if (isOver) return;
      closed += 1;
      void open(kind).then(resolve);
    });
  });
}

await Promise.all(Array.from({ length: count }, (_, index) => open(KINDS[index % KINDS.length] as Slow)));
parentPort?.postMessage('open');
const timer = setInterval(() => {
  for (const [socket, kind] of sockets) kind.step(socket);
}, STEP_MS);
parentPort?.once('message', () => {
  isOver = true;
  clearInterval(timer);
  const report: SlowSocketsReport = { open: sockets.size, closed };
  for (const socket of sockets.keys()) socket.destroy();
  parentPort?.postMessage(report);
});
