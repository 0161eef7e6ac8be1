// `npm run bench:outages`: which outages web and worker survive without a restart (see bench/README.md).
import { chmodSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { mountSmallDisk } from '#lib/testing/small-disk.ts';
import { OutageWorld } from './outages/world.ts';

const TERMINATED = 200;
const CRASHES = 10;
const FAST_RESTARTS = 5;
const DONE_WITHIN_MS = 10_000;
const DISK_MEGABYTES = 600;
const FULL_FOR_MS = 10_000;

const say = (line: string): void => void process.stdout.write(`${line}\n`);

const folder = mkdtempSync(join(tmpdir(), 'patchbay-outages-'));
chmodSync(folder, 0o711);
let failed = false;

/** Breaks a database under load, then checks that everything resumes automatically. */
async function survive(
  name: string,
  directory: string,
  times: number,
  breakIt: (world: OutageWorld) => Promise<void>,
): Promise<void> {
  const world = await OutageWorld.start(join(directory, 'postgres'), say);
  try {
    world.startLoad();
    await world.awaitRecovery();
    let slowestMs = 0;
    for (let time = 0; time < times; time += 1) {
      await breakIt(world);
      slowestMs = Math.max(slowestMs, (await world.awaitRecovery()).resumedMs);
    }
    await world.stopLoad();
    const stuck = await world.countStuck(DONE_WITHIN_MS);
    const { acknowledged, refused, isAlive } = world;
    failed ||= stuck > 0 || !isAlive;
    say(
      `${name}: ${times} times, resumed after ${slowestMs} ms at most; ${refused} webhooks refused, of ${acknowledged} acknowledged ones ` +
        `${stuck} are stuck after ${DONE_WITHIN_MS / 1000} s; ${isAlive ? 'no process ended' : 'A PROCESS ENDED'}`,
    );
  } finally {
    await world.end();
  }
}

const place = (name: string): string => {
  const path = join(folder, name);
  mkdirSync(path, { mode: 0o711 });
  return path;
};

try {
  await survive('200 terminated connections', place('terminated'), 1, (world) =>
    world.terminateBackends(TERMINATED),
  );
  await survive('kill -9 of PostgreSQL', place('killed'), CRASHES / 2, (world) =>
    world.restartDatabase('SIGKILL'),
  );
  await survive('immediate stop of PostgreSQL', place('crashed'), CRASHES / 2, (world) =>
    world.restartDatabase('SIGQUIT'),
  );
  await survive('fast restart of PostgreSQL', place('restarted'), FAST_RESTARTS, (world) =>
    world.restartDatabase('SIGINT'),
  );
  await survive('writes refused as on a full disk (SQLSTATE 53100)', place('refused'), 1, async (world) => {
    await world.refuseWrites();
    await new Promise((resolve) => setTimeout(resolve, FULL_FOR_MS));
    await world.allowWrites();
  });
  const disk = mountSmallDisk(place('full'), DISK_MEGABYTES);
  if ('impossible' in disk) say(`a disk that is really full: NOT MEASURED, ${disk.impossible}`);
  else {
    try {
      await survive('a disk that is really full', disk.path, 1, async (world) => {
        disk.fill();
        await world.awaitRefusals(100);
        await new Promise((resolve) => setTimeout(resolve, FULL_FOR_MS));
        disk.makeRoom();
        await world.startDatabase();
      });
    } finally {
      disk.unmount();
    }
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}
process.exit(failed ? 1 : 0);
