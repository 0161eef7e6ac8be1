'use client';
import { useState } from 'react';
import { type Theme, THEME_COOKIE } from './theme.ts';

const YEAR_SECONDS = 31_536_000;

/** The theme and its change, which is kept in a cookie so that the next page comes in it at once. */
export function useTheme(initial: Theme): [Theme, (theme: Theme) => void] {
  const [theme, setTheme] = useState(initial);
  const change = (next: Theme) => {
    setTheme(next);
    document.documentElement.dataset.theme = next;
    document.cookie = `${THEME_COOKIE}=${next}; path=/; max-age=${YEAR_SECONDS}; samesite=lax`;
  };
  return [theme, change];
}
