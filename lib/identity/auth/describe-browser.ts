import Bowser from 'bowser';

/**
 * The name of a browser, such as "Chrome on Linux".
 * @param userAgent the request's `User-Agent`; null: none was sent
 */
export function describeBrowser(userAgent: string | null): string {
  const { browser, os } = Bowser.parse(userAgent || 'unknown');
  const name = browser.name || 'Unknown browser';
  return os.name ? `${name} on ${os.name}` : name;
}
