const svg = (viewBox: string, paths: string, label = '') =>
  `<svg viewBox="${viewBox}" ${label === '' ? 'aria-hidden="true"' : `role="img" aria-label="${label}"`} fill="none" stroke="currentColor" stroke-width="2" stroke-linecap="round" stroke-linejoin="round">${paths}</svg>`;

const ONE_TICK = '<path d="M2 9l4 4 8-9"/>';
const TWO_TICKS = '<path d="M1 9l4 4 8-9M9 13l1 0 8-9"/>';

/** ✓ sent, ✓✓ delivered, blue ✓✓ read, a clock while pending, an exclamation mark when failed. */
export function statusIcon(status: string): string {
  const icons: Record<string, string> = {
    accepted: svg('0 0 18 18', '<circle cx="9" cy="9" r="7"/><path d="M9 5v4l3 2"/>', 'On the way'),
    sent: svg('0 0 18 18', ONE_TICK, 'Sent'),
    delivered: svg('0 0 20 18', TWO_TICKS, 'Delivered'),
    read: svg('0 0 20 18', TWO_TICKS, 'Read'),
    played: svg('0 0 20 18', TWO_TICKS, 'Played'),
    failed: svg('0 0 18 18', '<circle cx="9" cy="9" r="7"/><path d="M9 5v5M9 13v.01"/>', 'Failed'),
  };
  return `<span class="ticks ${status}" title="${status}">${icons[status] ?? ''}</span>`;
}

export const ICONS = {
  back: svg('0 0 24 24', '<path d="M15 5l-7 7 7 7"/>'),
  send: svg('0 0 24 24', '<path d="M4 12l16-8-6 16-3-7z"/>'),
  picture: svg(
    '0 0 24 24',
    '<rect x="3" y="4" width="18" height="16" rx="2"/><circle cx="9" cy="10" r="1.5"/><path d="M4 18l5-4 3 2 4-4 4 4"/>',
  ),
  reply: svg('0 0 24 24', '<path d="M9 7l-5 5 5 5M4 12h9a6 6 0 016 6"/>'),
  link: svg(
    '0 0 24 24',
    '<path d="M10 14a4 4 0 006 0l3-3a4 4 0 00-6-6l-1 1M14 10a4 4 0 00-6 0l-3 3a4 4 0 006 6l1-1"/>',
  ),
  call: svg(
    '0 0 24 24',
    '<path d="M5 4h4l2 5-3 2a11 11 0 005 5l2-3 5 2v4a2 2 0 01-2 2A16 16 0 013 6a2 2 0 012-2"/>',
  ),
  list: svg('0 0 24 24', '<path d="M8 6h12M8 12h12M8 18h12M4 6v.01M4 12v.01M4 18v.01"/>'),
  place: svg(
    '0 0 24 24',
    '<path d="M12 21s7-6 7-11a7 7 0 00-14 0c0 5 7 11 7 11"/><circle cx="12" cy="10" r="2.5"/>',
  ),
  contact: svg('0 0 24 24', '<circle cx="12" cy="8" r="4"/><path d="M4 21a8 8 0 0116 0"/>'),
  more: svg('0 0 24 24', '<path d="M12 5v14M5 12h14"/>'),
  settings: svg('0 0 24 24', '<path d="M12 6v.01M12 12v.01M12 18v.01"/>'),
  file: svg('0 0 24 24', '<path d="M6 3h8l5 5v13H6zM14 3v5h5"/>'),
};
