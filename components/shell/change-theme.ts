import { readTheme, type Theme, THEME_COOKIE } from './theme.ts';

const YEAR_SECONDS = 31_536_000;

/** The theme that the page is in; the server puts it there. */
export const currentTheme = (): Theme => readTheme(document.documentElement.dataset['theme']);

/** It is kept in a cookie as well, so that the next page comes in it at once. */
export function changeTheme(theme: Theme): void {
  document.documentElement.dataset['theme'] = theme;
  document.cookie = `${THEME_COOKIE}=${theme}; path=/; max-age=${YEAR_SECONDS}; samesite=lax`;
}
