import { afterEach, expect, test, vi } from 'vitest';
import { readLayout, rememberLayout } from './layout-cookie.ts';

afterEach(() => vi.unstubAllGlobals());

test('without a cookie the navigation is a rail in the editor only', () => {
  expect(readLayout(undefined)).toEqual({
    nav: 'wide',
    editorNav: 'rail',
    palette: 'shown',
    panelPx: 416,
    palettePx: 224,
  });
});

test('a cookie that somebody wrote by hand cannot break the screen', () => {
  expect(readLayout('panelPx=99999&palettePx=-4&nav=x')).toMatchObject({
    nav: 'wide',
    panelPx: 900,
    palettePx: 180,
  });
  expect(readLayout('panelPx=wide')).toMatchObject({ panelPx: 416 });
  expect(readLayout('%E0%A4%A')).toMatchObject({ nav: 'wide' });
});

test('what is remembered is read again, beside what was remembered before', () => {
  vi.stubGlobal('document', { cookie: 'theme=dark; layout=nav%3Drail' });
  rememberLayout({ panelPx: 520 });
  const [, value] = /^layout=([^;]*)/.exec(document.cookie) ?? [];
  expect(readLayout(value)).toMatchObject({ nav: 'rail', panelPx: 520 });
});
