export const HEALTH_PAGE = '/settings/health';
/** Where the page and its notice ask. */
export const HEALTH_PATH = `${HEALTH_PAGE}/checks`;
