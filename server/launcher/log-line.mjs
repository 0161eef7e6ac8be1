// Log lines without a logger: of the launcher, of the bootstrap, and of a process that fails before it has a logger. Plain
// JavaScript without packages: server/bootstrap.mjs uses it, too, on any Node.
import { hostname } from 'node:os';

const LEVELS = { info: 30, warn: 40, error: 50, fatal: 60 };

/**
 * A line in the format of the logger of web and worker processes.
 * @param {keyof typeof LEVELS} level
 * @param {string} msg
 * @param {Record<string, unknown>} [fields]
 */
export const toLogLine = (level, msg, fields = {}) =>
  `${JSON.stringify({ level: LEVELS[level], time: Date.now(), pid: process.pid, hostname: hostname(), ...fields, msg })}\n`;

/**
 * The launcher's output: text for people, or JSON with `LOG_FORMAT=json`.
 * @param {keyof typeof LEVELS} level
 * @param {string} text
 */
export const toPrinted = (level, text) =>
  process.env.LOG_FORMAT === 'json' ? toLogLine(level, text) : `${text}\n`;

/** A line of another program; JSON stays unchanged. @param {string} line @param {string} program */
export const wrapLine = (line, program) =>
  isJson(line) ? `${line}\n` : toLogLine('error', line, { program });

/** @param {string} line */
function isJson(line) {
  if (!line.startsWith('{')) return false;
  try {
    JSON.parse(line);
    return true;
  } catch {
    return false;
  }
}
