// Runs a unit's service like systemd, with the part of its sandbox that mount namespaces support: systemd itself would need its
// own machine.
import { type ChildProcess, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

type Section = ReadonlyMap<string, string[]>;

/** The section [Service] of a unit: values by name, in their order. */
function readService(path: string): Section {
  const service = /^\[Service\]$([^]*?)(?=^\[|$(?![^]))/m.exec(readFileSync(path, 'utf8'))?.[1] ?? '';
  const values = new Map<string, string[]>();
  for (const line of service.split('\n')) {
    const [, name, value] = /^(\w+)=(.*)$/.exec(line) ?? [];
    if (name !== undefined && value !== undefined) values.set(name, [...(values.get(name) ?? []), value]);
  }
  return values;
}

const ACCOUNT = 10_001;
const HOME_OF_STATE = '/var/lib';

/** Sets up the sandbox in a mount namespace: `$1` is the folder of Patchbay, `$2` the folder of the state. */
const SANDBOX = `
set -e
mount -t tmpfs tmpfs /opt && mkdir /opt/patchbay && mount --rbind "$1" /opt/patchbay
mount --bind "$2" ${HOME_OF_STATE}
for place in /home /root; do mount -t tmpfs -o ro,mode=755 tmpfs "$place"; done
mount -t tmpfs -o mode=1777 tmpfs /tmp
sort -r -k5 /proc/self/mountinfo | while read -r _ _ _ _ place _; do
  case "$place" in /proc*|/dev*|/sys*|/tmp|/tmp/*|${HOME_OF_STATE}) ;; *) mount -o remount,bind,ro "$place" 2>/dev/null || true ;; esac
done
shift 2
exec setpriv --reuid=${ACCOUNT} --regid=${ACCOUNT} --clear-groups --no-new-privs --inh-caps=-all "$@"`;

export interface StartedUnit {
  output(): string;
  /** As `systemctl stop`. @returns its exit code, and seconds against `TimeoutStopSec` */
  stop(): Promise<{ code: number | null; seconds: number; limitSeconds: number }>;
}

/**
 * @param root Patchbay's folder, mounted as /opt/patchbay @param state mounted as /var/lib, with the state directory in it
 * @param settings of the `EnvironmentFile` @param instance the text after the `@`
 */
export function startUnit(
  path: string,
  {
    root,
    state,
    settings,
    instance = '1',
  }: { root: string; state: string; settings: Record<string, string>; instance?: string },
): StartedUnit {
  const service = readService(path);
  const [given = ''] = service.get('ExecStart') ?? [];
  const command = given.replaceAll('%i', instance).replaceAll('$$', () => '$');
  const [folder = '/'] = service.get('WorkingDirectory') ?? [];
  const environment = (service.get('Environment') ?? [])
    .flatMap((line) => line.split(' '))
    .map((assignment) => assignment.split(/=(.*)/s).slice(0, 2) as [string, string]);
  const child: ChildProcess = spawn(
    'unshare',
    [
      ...['--mount', '--propagation', 'private', 'sh', '-c', SANDBOX, 'sh', root, state],
      ...['sh', '-c', `cd ${folder} && exec ${command}`],
    ],
    {
      env: {
        NODE_ENV: 'production',
        PATH: '/usr/local/bin:/usr/bin:/bin',
        // Values that systemd derives from the account.
        HOME: '/home/patchbay',
        USER: 'patchbay',
        ...Object.fromEntries(environment),
        ...settings,
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    },
  );
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream?.setEncoding('utf8').on('data', (text: string) => (output += text));
  const ended = new Promise<number | null>((resolve) => child.once('exit', resolve));
  return {
    output: () => output,
    async stop() {
      const begun = performance.now();
      child.kill('SIGTERM');
      const code = await ended;
      const [limit = '90'] = service.get('TimeoutStopSec') ?? [];
      return { code, seconds: (performance.now() - begun) / 1000, limitSeconds: Number(limit) };
    },
  };
}

/** The writable folder of a unit, below the one mounted as /var/lib. */
export const stateFolder = (
  state: string,
  path: string,
): { folder: string; mode: number; account: number } => {
  const service = readService(path);
  const [name = ''] = service.get('StateDirectory') ?? [];
  const [mode = '0755'] = service.get('StateDirectoryMode') ?? [];
  return { folder: join(state, name), mode: Number.parseInt(mode, 8), account: ACCOUNT };
};
