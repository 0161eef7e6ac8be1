import { cookies } from 'next/headers';
import type { NextRequest } from 'next/server';
import { returnUrl } from './return-path.ts';

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
