export const THEMES = ['system', 'light', 'dark'] as const;
export type Theme = (typeof THEMES)[number];

export const THEME_COOKIE = 'theme';

/** The theme in a cookie; `system` for anything else. */
export const readTheme = (value: string | undefined): Theme =>
  THEMES.find((theme) => theme === value) ?? 'system';
