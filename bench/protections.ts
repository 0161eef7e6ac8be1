// Protections of the engine that measurements take out, to see that they are missed.

/** Of the statement that writes runs: what refuses the write of a process that has lost the run. */
export const EPOCH_CHECK = 'and r.epoch = c.epoch and r.last_statement < $1::bigint';
