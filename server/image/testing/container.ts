// Runs an image as a container by crun, the runtime under podman, with the isolation of an engine: namespaces, its own process
// 1, a read-only root, an unprivileged account. Engines require a daemon or newer cgroups than some machines have; a runtime
// does not.
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export interface Image {
  /** The files, which all its containers share. */
  rootfs: string;
  env: string[];
  entrypoint: string[];
  cmd: string[];
  user: string;
  workdir: string;
  volumes: string[];
  /** Without its first word, `CMD`. */
  healthcheck: string[];
}

export interface ContainerOptions {
  /** Instead of the image's CMD. */
  args?: string[];
  environment?: Record<string, string>;
  /** Folders and files of this machine by their place in the container. */
  binds?: Record<string, string>;
  tmpfs?: string[];
  isReadOnly?: boolean;
  network: { path: string; address: string };
  hosts?: Record<string, string>;
}

export interface Container {
  address: string;
  /** On this machine, of the container's process 1. */
  pid(): number;
  output(): string;
  /** Runs a command in it, as its account. */
  exec(...command: string[]): { status: number; output: string };
  /** Stops it like an engine; kills it after `graceSeconds`. @returns its exit code and the duration */
  stop(signal: NodeJS.Signals, graceSeconds: number): Promise<{ code: number | null; seconds: number }>;
  ended: Promise<number | null>;
}

/** crun refuses a mix of old and new cgroups; it needs none of them here. */
const OWN_CGROUPS = 'umount -R /sys/fs/cgroup && mount -t cgroup2 none /sys/fs/cgroup; exec "$@"';
const runtime = (state: string, ...parameters: string[]): [string, string[]] => [
  'unshare',
  [
    '--mount',
    '--propagation',
    'private',
    'sh',
    '-c',
    OWN_CGROUPS,
    'sh',
    'crun',
    '--cgroup-manager=disabled',
    '--root',
    state,
    ...parameters,
  ],
];

/** A file of a process in /proc. */
const proc = (pid: number, file: string): string => readFileSync(`/proc/${pid}/${file}`, 'utf8');

/** Resident memory of a process in bytes. */
export const residentBytes = (pid: number): number =>
  Number(/^VmRSS:\s+(\d+) kB/m.exec(proc(pid, 'status'))?.[1] ?? 0) * 1024;

/** Zombie processes in the container with this process 1. */
export function countZombies(pid: number): number {
  const namespace = execFileSync('readlink', [`/proc/${pid}/ns/pid`], { encoding: 'utf8' });
  return readdirSync('/proc').filter((name) => {
    if (!/^\d+$/.test(name)) return false;
    try {
      const isSame =
        execFileSync('readlink', [`/proc/${name}/ns/pid`], { encoding: 'utf8', stdio: 'pipe' }) === namespace;
      return isSame && /^State:\s+Z/m.test(proc(Number(name), 'status'));
    } catch {
      return false;
    }
  }).length;
}

export function startContainer(image: Image, options: ContainerOptions): Container {
  const id = `patchbay-${randomBytes(4).toString('hex')}`;
  const bundle = mkdtempSync(join(tmpdir(), 'patchbay-container-'));
  const state = join(bundle, 'state');
  const spec = toSpec(image, options, bundle);
  writeFileSync(join(bundle, 'config.json'), JSON.stringify(spec));
  const pidFile = join(bundle, 'pid');
  const [program, parameters] = runtime(state, 'run', '--bundle', bundle, '--pid-file', pidFile, id);
  const child: ChildProcess = spawn(program, parameters, { stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream?.setEncoding('utf8').on('data', (text: string) => (output += text));
  const ended = new Promise<number | null>((resolve) =>
    child.once('exit', (code) => {
      rmSync(bundle, { recursive: true, force: true });
      resolve(code);
    }),
  );
  const pid = (): number => Number(readFileSync(pidFile, 'utf8'));
  return {
    address: options.network.address,
    pid,
    output: () => output,
    exec(...command) {
      const path = join(bundle, 'exec.json');
      writeFileSync(path, JSON.stringify({ ...spec.process, args: command }));
      const [run, given] = runtime(state, 'exec', '--process', path, id);
      try {
        return { status: 0, output: execFileSync(run, given, { encoding: 'utf8', stdio: 'pipe' }) };
      } catch (error) {
        const { status, stdout, stderr } = error as { status: number; stdout: string; stderr: string };
        return { status, output: stdout + stderr };
      }
    },
    async stop(signal, graceSeconds) {
      const start = performance.now();
      if (existsSync(pidFile)) process.kill(pid(), signal);
      const timer = setTimeout(() => process.kill(pid(), 'SIGKILL'), graceSeconds * 1000);
      const code = await ended;
      clearTimeout(timer);
      return { code, seconds: (performance.now() - start) / 1000 };
    },
    ended,
  };
}

/** The OCI runtime specification's `config.json`. */
function toSpec(
  image: Image,
  options: ContainerOptions,
  bundle: string,
): { process: object; [part: string]: unknown } {
  const { args = image.cmd, environment = {}, binds = {}, tmpfs = [], network, hosts = {} } = options;
  const [uid = 0, gid = 0] = image.user.split(':').map(Number);
  const hostsFile = join(bundle, 'hosts');
  writeFileSync(
    hostsFile,
    Object.entries({ localhost: '127.0.0.1', ...hosts })
      .map(([name, at]) => `${at} ${name}\n`)
      .join(''),
  );
  const places = { ...volumesOf(image, binds, bundle), ...binds, '/etc/hosts': hostsFile };
  return {
    ociVersion: '1.0.2',
    hostname: 'patchbay',
    root: { path: image.rootfs, readonly: options.isReadOnly ?? true },
    process: {
      args: [...image.entrypoint, ...args],
      cwd: image.workdir,
      user: { uid, gid },
      env: [
        'PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin',
        ...image.env,
        ...Object.entries(environment).map(([name, value]) => `${name}=${value}`),
      ],
      capabilities: { bounding: [], effective: [], inheritable: [], permitted: [], ambient: [] },
      noNewPrivileges: true,
    },
    mounts: [
      { destination: '/proc', type: 'proc', source: 'proc' },
      { destination: '/dev', type: 'tmpfs', source: 'tmpfs', options: ['nosuid', 'mode=755', 'size=64k'] },
      {
        destination: '/dev/shm',
        type: 'tmpfs',
        source: 'shm',
        options: ['nosuid', 'noexec', 'nodev', 'mode=1777'],
      },
      ...tmpfs.map((destination) => ({
        destination,
        type: 'tmpfs',
        source: 'tmpfs',
        options: ['nosuid', 'noexec', 'nodev', 'mode=1777'],
      })),
      // Shorter paths first: a volume may contain another one.
      ...Object.entries(places)
        .sort(([one], [other]) => one.length - other.length)
        .map(([destination, source]) => ({ destination, type: 'bind', source, options: ['rbind', 'rw'] })),
    ],
    linux: {
      namespaces: [
        ...['pid', 'ipc', 'uts', 'mount'].map((type) => ({ type })),
        { type: 'network', path: network.path },
      ],
    },
  };
}

/** Volumes of the image without a given one, filled with the image's files. */
function volumesOf(image: Image, binds: Record<string, string>, bundle: string): Record<string, string> {
  const volumes = image.volumes.filter((place) => !(place in binds));
  return Object.fromEntries(
    volumes.map((place, index) => [
      place,
      copyOwned(join(image.rootfs, place), join(bundle, `volume-${index}`)),
    ]),
  );
}

/** A new volume starts with the files of the image, and their owners. */
export function copyOwned(from: string, to: string): string {
  if (existsSync(from)) execFileSync('cp', ['-a', from, to]);
  else mkdirSync(to, { recursive: true });
  return to;
}
