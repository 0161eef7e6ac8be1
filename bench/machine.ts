import { cpus, loadavg } from 'node:os';

/** What was measured on, and how busy it was in the last minute. */
export const describeMachine = () => ({
  cores: cpus().length,
  model: cpus()[0]?.model,
  load: loadavg()[0],
  node: process.version,
});
