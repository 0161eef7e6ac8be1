/** A parsed value, or what is wrong with it and how to fix it. */
export type Reading<Value> = { value: Value; problem?: undefined } | { value?: undefined; problem: string };
