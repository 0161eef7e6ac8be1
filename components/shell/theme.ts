export const THEMES = ['system', 'light', 'dark'] as const;
export type Theme = (typeof THEMES)[number];

export const THEME_COOKIE = 'theme';

/** The theme in a cookie; `system` for anything else. */
export const readTheme = (value: string | undefined): Theme =>
  THEMES.find((theme) => theme === value) ?? 'system';

const YEAR_SECONDS = 31_536_000;

/** The page's theme, set by the server. */
export const currentTheme = (): Theme => readTheme(document.documentElement.dataset['theme']);

/** Also stored in a cookie, so that the server renders the next page with it. */
export function changeTheme(theme: Theme): void {
  document.documentElement.dataset['theme'] = theme;
  document.cookie = `${THEME_COOKIE}=${theme}; path=/; max-age=${YEAR_SECONDS}; samesite=lax`;
}

/** Calls back when the page becomes light or dark, by the user's choice or the system's. @returns stops it */
export function watchTheme(onChange: () => void): () => void {
  const system = window.matchMedia('(prefers-color-scheme: dark)');
  const observer = new MutationObserver(onChange);
  observer.observe(document.documentElement, { attributes: true, attributeFilter: ['data-theme'] });
  system.addEventListener('change', onChange);
  return () => {
    observer.disconnect();
    system.removeEventListener('change', onChange);
  };
}
