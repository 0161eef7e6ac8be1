import { useSyncExternalStore } from 'react';
import type { Zone } from './format-instant.ts';

const never = () => () => undefined;

/** UTC during hydration, because the server does not know the reader's zone; then theirs. */
export const useReaderZone = (): Zone =>
  useSyncExternalStore(
    never,
    (): Zone => undefined,
    (): Zone => 'UTC',
  );
