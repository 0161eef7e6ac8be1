export const HEALTH_PAGE = '/settings/health';
/** Route of the checks. */
export const HEALTH_PATH = `${HEALTH_PAGE}/checks`;
