// `patchbay doctor` for a product that goes live.
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Finding } from '../cli/findings.ts';
import { toLine } from '../cli/findings.ts';
import { root } from '../root.ts';

export interface Diagnosis {
  /** Of the process: 1 where there is a problem. */
  code: number;
  /** Its output. */
  printed: string;
  /** The lines for people. */
  lines: string[];
  /** State of each finding, by topic. */
  states: Record<string, Finding['state']>;
  textOf: (about: string) => string;
}

interface Question {
  /** Overrides of the product's settings; undefined: not set. */
  more?: Record<string, string | undefined>;
  options?: string[];
}

/** Runs the command with the settings of a product that was started beside a sandbox. */
export async function askDoctor(
  settings: Readonly<Record<string, string>>,
  { more = {}, options = ['--live'] }: Question = {},
): Promise<Diagnosis> {
  const dataFolder = mkdtempSync(join(tmpdir(), 'patchbay-live-doctor-'));
  const { PATH = '', HOME = '' } = process.env;
  const all = { PATH, HOME, NODE_ENV: 'production', ...settings, PATCHBAY_DATA_DIR: dataFolder, ...more };
  const env = Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined));
  try {
    const { code, stdout, stderr } = await run(
      ['server/patchbay.ts', '--json', 'doctor', ...options],
      env as NodeJS.ProcessEnv,
    );
    const findings = (stdout === '' ? [] : JSON.parse(stdout)) as Finding[];
    return {
      code,
      printed: stdout + stderr,
      lines: findings.map(toLine),
      states: Object.fromEntries(findings.map(({ about, state }) => [about, state])),
      textOf: (about) => findings.find((each) => each.about === about)?.text ?? '',
    };
  } finally {
    rmSync(dataFolder, { recursive: true });
  }
}

const run = (words: string[], env: NodeJS.ProcessEnv) =>
  new Promise<{ code: number; stdout: string; stderr: string }>((resolve) => {
    const start = [join(root, 'server', 'bootstrap.mjs'), ...words];
    execFile(process.execPath, start, { env }, (error, stdout, stderr) =>
      resolve({ code: Number(error?.code ?? 0), stdout, stderr }),
    );
  });
