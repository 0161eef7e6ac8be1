import { describe, expect, it } from 'vitest';
import type { AppError } from '#lib/core/errors.ts';
import { renderRedirectUrl, triggerScope } from './render-response.ts';
import { triggerSettingsSchema } from './trigger-settings.ts';

const render = (redirect_url: string, body: Record<string, string> = {}): string => {
  const settings = triggerSettingsSchema.parse({ response_type: 'redirect', redirect_url });
  return renderRedirectUrl(settings, triggerScope(1, { body, headers: {}, receivedAt: new Date(0) }));
};

describe('the URL of a redirect', () => {
  it('has its variables percent-encoded, so that none ends a parameter or a path', () => {
    const hostile = 'a&b=c/../?#%\u00e9';
    const url = new URL(render('https://example.com/{{name}}?q={{name}}&last=1', { name: hostile }));
    expect([...url.searchParams]).toEqual([
      ['q', hostile],
      ['last', '1'],
    ]);
    expect(url.pathname.split('/')).toHaveLength(2);
    expect(decodeURIComponent(url.pathname.slice(1))).toBe(hostile);
    expect(url.host + url.hash).toBe('example.com');
  });

  it.each([
    ['{{next}}', 'https://example.com/a?b=c&d=%20', 'https://example.com/a?b=c&d=%20'],
    ['{{next}}', ' http://example.com/ ', 'http://example.com/'],
    ['{{next}}', 'HTTPS://example.com/', 'HTTPS://example.com/'],
    ['{{next}}', 'https://m\u00fcnchen.example/stra\u00dfe', 'https://xn--mnchen-3ya.example/stra%C3%9Fe'],
    ['{{task_1_next}}', 'https://example.com/', 'https://example.com/'],
  ])('%s with "%s" is "%s"', (drawn, next, expected) => {
    expect(render(drawn, { next })).toBe(expected);
  });

  it.each([
    '',
    '   ',
    'javascript:alert(1)',
    'data:text/html,x',
    'ftp://example.com/',
    '//example.com/',
    '/relative',
    'https://',
    'https:/example.com',
    'https://example.com/\r\nSet-Cookie: a=b',
    'https://example.com/\nx',
    'x https://example.com/',
  ])('is refused: %j', (next) => {
    expect(() => render('{{next}}', { next })).toThrow(
      expect.objectContaining({ code: 'invalid_redirect' }) as AppError,
    );
  });

  it('may be as long as every client accepts, and no longer', () => {
    const longest = 'https://example.com/'.padEnd(8192, 'x');
    expect(render('{{next}}', { next: longest })).toBe(longest);
    expect(() => render('{{next}}', { next: `${longest}x` })).toThrow('at most 8,192 characters');
  });
});
