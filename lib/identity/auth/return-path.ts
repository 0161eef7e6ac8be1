import { cookies } from 'next/headers';
import type { NextRequest } from 'next/server';

/** The page to open after signing in: a path of this installation, or the workflows for anything else. */
export function readReturnPath(next: string | string[] | undefined): string {
  const isOurs = typeof next === 'string' && /^\/(?![/\\])[\x20-\x7e]*$/.test(next) && !next.includes('\\');
  return isOurs ? next : '/workflows';
}

/**
 * The same for a whole URL, as next-auth sends and stores them.
 * @param baseUrl the product's own, without a path
 */
export function returnUrl(baseUrl: string, url: string): string {
  if (url === baseUrl) return `${baseUrl}/`;
  return baseUrl + readReturnPath(url.startsWith(`${baseUrl}/`) ? url.slice(baseUrl.length) : url);
}

const CALLBACK_PARAMETER = 'callbackUrl';
const CALLBACK_COOKIES = ['next-auth.callback-url', '__Secure-next-auth.callback-url'];

/** next-auth responds with 500 to a URL that it cannot parse. This passes only URLs of this installation. */
export async function limitCallbackUrl(request: NextRequest, baseUrl: string): Promise<void> {
  const { searchParams } = request.nextUrl;
  const given = searchParams.get(CALLBACK_PARAMETER);
  if (given !== null) searchParams.set(CALLBACK_PARAMETER, returnUrl(baseUrl, given));
  const jar = await cookies();
  for (const name of CALLBACK_COOKIES) {
    const value = jar.get(name)?.value;
    if (value !== undefined && value !== baseUrl && value !== returnUrl(baseUrl, value)) jar.delete(name);
  }
}
