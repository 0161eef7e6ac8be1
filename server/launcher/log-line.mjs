// Lines of the log that no logger writes: of the launcher, of what starts it, and of a process that dies before it has a logger.
// Plain JavaScript without packages: server/bootstrap.mjs uses it, too, on any Node.
import { hostname } from 'node:os';

const LEVELS = { info: 30, warn: 40, error: 50, fatal: 60 };

/**
 * A line as the logger of web and worker processes writes it.
 * @param {keyof typeof LEVELS} level
 * @param {string} msg
 * @param {Record<string, unknown>} [fields]
 */
export const toLogLine = (level, msg, fields = {}) =>
  `${JSON.stringify({ level: LEVELS[level], time: Date.now(), pid: process.pid, hostname: hostname(), ...fields, msg })}\n`;

/**
 * What the launcher prints: text for people, or JSON where `LOG_FORMAT` is `json`.
 * @param {keyof typeof LEVELS} level
 * @param {string} text
 */
export const toPrinted = (level, text) =>
  process.env.LOG_FORMAT === 'json' ? toLogLine(level, text) : `${text}\n`;

/** A line of another program: as it is where it is JSON already. @param {string} line @param {string} program */
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
