/** Where the health page and its notice ask. */
export const HEALTH_PATH = '/settings/health/checks';
