import { useSyncExternalStore } from 'react';

/** State outside React: components subscribe to a part of it, and only render when that changes. */
export class Store<State> {
  #state: State;
  readonly #listeners = new Set<() => void>();

  constructor(state: State) {
    this.#state = state;
  }

  readonly get = (): State => this.#state;

  readonly set = (change: Partial<State>): void => {
    this.#state = { ...this.#state, ...change };
    for (const listener of this.#listeners) listener();
  };

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };
}

/** A part of a store's state; it must be referentially stable. */
export function useStore<State, Part>(store: Store<State>, select: (state: State) => Part): Part {
  return useSyncExternalStore(
    store.subscribe,
    () => select(store.get()),
    () => select(store.get()),
  );
}
