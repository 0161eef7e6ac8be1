import { cpus, loadavg } from 'node:os';

/** The machine of a measurement, and its load in the last minute. */
export const describeMachine = () => ({
  cores: cpus().length,
  model: cpus()[0]?.model,
  load: loadavg()[0],
  node: process.version,
});
