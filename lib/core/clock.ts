/** Time as the product sees it; tests hand in a clock they can set. */
export interface Clock {
  now(): Date;
}

export const systemClock: Clock = { now: () => new Date() };
