import { describe, expect, test } from 'vitest';
import { parseJson } from '#lib/core/json/parse-json.ts';
import { NumberLiteral } from '#lib/core/json/value.ts';
import { VariableBudgetError } from './errors.ts';
import { HELPERS } from './helpers.ts';
import { renderText } from './interpret.ts';
import { parseVariableText } from './parse.ts';
import { evaluate, render, scopeOf } from '#lib/variables/testing/render.ts';
import { createScope, withCustomerZone } from './scope.ts';

const order = parseJson(
  `{"id":"o-1","total":12.50,"big":12345678901234567890,"vip":true,"note":null,"empty":"",
    "customer":{"name":"Ann \\"A\\" <b>","address":{"zip":"0123"},"my key":"x","a.b":"dotted"},
    "items":[{"name":"Key & lock","n":1},{"name":"Desk","n":2}],"tags":["a","b"],"none":[]}`,
);

describe('spec, "Variables"', () => {
  test('{{<field>}}: a field of the body, case-sensitive; what matches nothing is empty', () => {
    expect(render('{{id}}|{{Id}}|{{missing}}|{{customer.missing.deeper}}', order)).toBe('o-1|||');
  });

  test('{{task_<id>_<field>}}, _run and _run_text; another task is empty', () => {
    expect(render('{{task_5_id}} {{task_5_run}} {{task_5_run_text}}{{task_6_id}}', order)).toBe(
      'o-1 true Done',
    );
  });

  test('{{$now}} is ISO 8601 UTC with milliseconds, {{$date}} its day; both of one moment', () => {
    expect(render('{{$now}} {{$date}}')).toBe('2026-11-20T09:15:27.412Z 2026-11-20');
    let calls = 0;
    const scope = createScope({ tasks: () => undefined, now: () => new Date(++calls) });
    expect(renderText(parseVariableText('{{$now}}{{$now}}{{$date}}'), scope, 'none')).not.toContain('.002Z');
    expect(calls).toBe(1);
  });

  test('JSON notation reaches the original structure, with [n] and .n indexes', () => {
    const text = '{{task_5.JSON.customer.name}}|{{task_5.JSON.items[0].name}}|{{task_5.JSON.items.1.name}}';
    expect(render(text, order)).toBe('Ann "A" <b>|Key & lock|Desk');
    expect(render('{{task_5.JSON.tags.0}}{{task_5_tags[1]}}{{tags.[0]}}{{tags.length}}', order)).toBe('aba2');
  });

  test('dot notation on the flattened name', () => {
    expect(
      render('{{task_5_customer.address.zip}} {{task_5_items[1].name}} {{task_5_items_1.name}}', order),
    ).toBe('0123 Desk Desk');
  });

  test('headers of the trigger by lower-case name', () => {
    const scope = scopeOf(order, { headers: { 'x-shop-id': '7' } });
    expect(renderText(parseVariableText('{{task_5.HEADERS.x-shop-id}}'), scope, 'none')).toBe('7');
  });

  test('keys Handlebars cannot spell are reached with [segment]', () => {
    expect(render('{{customer.[my key]}} {{customer.[a.b]}} {{[id]}}', order)).toBe('x dotted o-1');
  });
});

describe('docs/variables.md: types', () => {
  test('a text that is exactly one variable keeps the type', () => {
    expect(evaluate('{{items}}', order)).toBe((order as { items: unknown }).items);
    expect(evaluate('{{vip}}', order)).toBe(true);
    expect(evaluate('{{note}}', order)).toBeNull();
    expect(evaluate('{{missing}}', order)).toBeUndefined();
    expect(evaluate('{{big}}', order)).toEqual(new NumberLiteral('12345678901234567890'));
  });

  test('inside longer text: no digit lost, objects and arrays as JSON, null and missing as nothing', () => {
    expect(evaluate('{{total}} {{big}} {{vip}} {{note}}{{missing}}{{tags}}', order)).toBe(
      '12.50 12345678901234567890 true ["a","b"]',
    );
  });

  test('a comment beside a variable leaves it the only one', () => {
    expect(evaluate('{{! the flag }}{{vip}}', order)).toBe(true);
  });
});

describe('docs/variables.md: escaping by place', () => {
  test('never HTML-escaped, with two braces or three', () => {
    expect(render('{{customer.name}}{{{customer.name}}}{{&customer.name}}', order)).toBe(
      'Ann "A" <b>'.repeat(3),
    );
  });

  test('JSON: escaped inside a string literal, a value outside of one, null when missing', () => {
    const text =
      '{"a":"Dear {{customer.name}}","b":{{customer.name}},"c":{{missing}},"d":{{total}},"e":{{tags}}}';
    expect(render(text, order, 'json')).toBe(
      '{"a":"Dear Ann \\"A\\" <b>","b":"Ann \\"A\\" <b>","c":null,"d":12.50,"e":["a","b"]}',
    );
    expect(render('{"a":"{{missing}}{{note}}","b":{{{big}}}}', order, 'json')).toBe(
      '{"a":"","b":12345678901234567890}',
    );
  });

  test('JSON: escaped quotes do not end a string literal; blocks keep the place', () => {
    const text =
      '{"a":"\\"{{id}}","b":"{{#each items}}{{name}}{{#if @last}}"{{else}};{{/if}}{{/each}},"c":{{id}}}';
    expect(JSON.parse(render(text, order, 'json'))).toEqual({ a: '"o-1', b: 'Key & lock;Desk', c: 'o-1' });
  });

  test('JSON: a backslash before a variable stays a backslash', () => {
    expect(JSON.parse(render('{"path":"C:\\\\{{id}}"}', order, 'json'))).toEqual({ path: 'C:\\o-1' });
  });

  test('JSON: an object inside a string literal is its JSON, escaped', () => {
    expect(JSON.parse(render('{"a":"{{tags}}"}', order, 'json'))).toEqual({ a: '["a","b"]' });
  });

  test('XML', () => {
    expect(render('<n a="{{customer.name}}">{{items.0.name}}</n>', order, 'xml')).toBe(
      '<n a="Ann &quot;A&quot; &lt;b&gt;">Key &amp; lock</n>',
    );
    expect(render('<n>{{x}}</n>', { x: 'a\u0001\ud800b' }, 'xml')).toBe('<n>a\ufffdb</n>');
  });

  test('redirect URL: percent-encoded, except where the whole URL is one variable', () => {
    expect(render('https://x.test/?n={{customer.name}}', order, 'url')).toBe(
      'https://x.test/?n=Ann%20%22A%22%20%3Cb%3E',
    );
    expect(render('{{url}}', { url: 'https://x.test/a?b=c&d' }, 'url')).toBe('https://x.test/a?b=c&d');
  });
});

describe('blocks', () => {
  test('if, else if, else, unless: empty text, empty list, null, false and zero are false', () => {
    const text = '{{#if x}}yes{{else if vip}}vip{{else}}no{{/if}}';
    expect(render(text, { x: 1 })).toBe('yes');
    expect(render(text, { x: '', vip: true })).toBe('vip');
    for (const x of ['', [], null, false, 0, parseJson('0.0'), parseJson('-0')])
      expect(render(text, { x })).toBe('no');
    for (const x of ['0', [0], {}, parseJson('1e9')]) expect(render(text, { x })).toBe('yes');
    expect(render('{{#unless x}}none{{/unless}}')).toBe('none');
    expect(render('{{^if x}}none{{/if}}')).toBe('none');
  });

  test('each over arrays and objects, with @index, @key, @first, @last, this and else', () => {
    expect(render('{{#each tags}}{{@index}}{{this}}{{#unless @last}},{{/unless}}{{/each}}', order)).toBe(
      '0a,1b',
    );
    expect(render('{{#each x}}{{#if @first}}>{{/if}}{{@key}}={{.}};{{/each}}', { x: { a: 1, b: 2 } })).toBe(
      '>a=1;b=2;',
    );
    expect(render('{{#each none}}x{{else}}nothing{{/each}}{{#each id}}x{{else}}!{{/each}}', order)).toBe(
      'nothing!',
    );
  });

  test('inside each a name is the element’s own; .. and @root reach out; task and system names mean the same', () => {
    expect(render('{{#each items}}{{id}}{{../id}}{{@root.id}}{{this.n}}{{/each}}', order)).toBe(
      'o-1o-11o-1o-12',
    );
    expect(render('{{#each tags}}{{task_5_id}} {{$date}} {{/each}}', order)).toBe(
      'o-1 2026-11-20 o-1 2026-11-20 ',
    );
  });

  test('@../index counts loops, not other blocks', () => {
    const text = '{{#each a}}{{#if this}}{{#each this}}{{@../index}}{{@index}} {{/each}}{{/if}}{{/each}}';
    expect(render(text, { a: [[1, 1], [1]] })).toBe('00 01 10 ');
  });

  test('block parameters', () => {
    expect(
      render(
        '{{#each items as |item i|}}{{i}}{{item.name}}{{#with item as |x|}}{{x.n}}{{/with}}{{/each}}',
        order,
      ),
    ).toBe('0Key & lock11Desk2');
  });

  test('with', () => {
    expect(render('{{#with customer.address}}{{zip}}{{../id}}{{else}}x{{/with}}', order)).toBe('0123o-1');
    expect(render('{{#with missing}}x{{else}}none{{/with}}')).toBe('none');
  });

  test('a block alone on its lines leaves no empty lines, ~ trims', () => {
    expect(render('a\n{{#if vip}}\nb\n{{/if}}\nc {{~id~}} d', order)).toBe('a\nb\nco-1d');
  });
});

describe('helpers', () => {
  test.each(HELPERS.map((helper) => [helper.signature, helper.example.text, helper.example.result]))(
    '%s: the example in the table is true',
    (_signature, text, result) => {
      expect(render(text, { list: ['a', 'b'] })).toBe(result);
    },
  );

  test('a helper’s name without values is a field', () => {
    expect(render('{{date}} {{number}} {{length}}', { date: 'd', number: 1, length: 2 })).toBe('d 1 2');
  });

  test('number rounds the digits themselves and is a JSON number', () => {
    const text = '{"a":{{number x 2}}}';
    expect(render(text, { x: parseJson('1.005') }, 'json')).toBe('{"a":1.01}');
    expect(render(text, { x: parseJson('-12345678901234567890.555') }, 'json')).toBe(
      '{"a":-12345678901234567890.56}',
    );
    expect(render(text, { x: ' 1.5e3 ' }, 'json')).toBe('{"a":1500.00}');
    expect(render(text, { x: parseJson('0.995e-2') }, 'json')).toBe('{"a":0.01}');
    expect(render(text, { x: -0.001 }, 'json')).toBe('{"a":0.00}');
    expect(render(text, { x: 'many' }, 'json')).toBe('{"a":null}');
    expect(render('{{number x 0}} {{number 1e999999999 2}}', { x: 2.5 })).toBe('3 ');
  });

  test.each([
    ['{{date x "D MMMM, HH:mm" zone="Europe/Berlin"}}', '21 November, 00:30'],
    ['{{date x "dddd, D. MMMM YYYY" zone="Europe/Berlin" locale="de"}}', 'Samstag, 21. November 2026'],
    ['{{date x locale="de"}} {{date x zone=zone}}', '2026-11-20 2026-11-20'],
    ['{{date x "HH:mm" zone=zone}}', '18:30'],
    ['{{date x "D MMMM" locale="ru"}}, {{date x "MMMM YYYY" locale="ru"}}', '20 ноября, ноябрь 2026'],
    ['{{upper (date x "ddd" locale=language)}}', 'VEN.'],
    // Of a variable that has none: as if it was left out.
    ['{{date x "HH:mm dddd" zone=missing locale=wrong}}', '23:30 Friday'],
  ])('%s is %s', (text, result) => {
    const x = '2026-11-20T23:30:00Z';
    expect(render(text, { x, zone: 'America/New_York', language: 'fr', wrong: '§' })).toBe(result);
  });

  test.each([
    ['{{date x "D MMMM, HH:mm" zone="workspace"}}', '21 November, 00:30'],
    ['{{date x "HH:mm" zone="customer"}}', '18:30'],
    ['{{date x "HH:mm"}}', '23:30'],
    ['{{#each list}}{{date this "HH:mm" zone="workspace"}} {{/each}}', '00:30 '],
    // Only what is written counts, not what a variable contains.
    ['{{date x "HH:mm" zone=word}}', '23:30'],
  ])('%s is %s for a workspace and a customer', (text, result) => {
    const x = '2026-11-20T23:30:00Z';
    const body = { x, list: [x], word: 'workspace' };
    const scope = createScope({
      tasks: () => undefined,
      body,
      now: () => new Date(x),
      zone: 'Europe/Berlin',
    });
    const both = withCustomerZone(scope, 'America/New_York');
    expect(renderText(parseVariableText(text), both, 'none')).toBe(result);
  });

  test('where no zone is known, that of the workspace is UTC, and that of a customer the workspace’s', () => {
    const now = () => new Date('2026-11-20T23:30:00Z');
    const text = parseVariableText('{{date $now "HH:mm" zone="customer"}}');
    const written = [undefined, 'Asia/Tokyo'].map((zone) =>
      renderText(text, createScope({ tasks: () => undefined, now, zone }), 'none'),
    );
    expect(written).toEqual(['23:30', '08:30']);
  });

  test('date reads ISO dates (UTC without an offset) and Unix times, nothing else', () => {
    const text = '{{date x "YYYY-MM-DD HH:mm:ss"}}';
    expect(render(text, { x: '2026-11-20T23:30:00-02:00' })).toBe('2026-11-21 01:30:00');
    expect(render(text, { x: '2026-11-20 23:30' })).toBe('2026-11-20 23:30:00');
    expect(render(text, { x: 1763629200 })).toBe('2025-11-20 09:00:00');
    expect(render(text, { x: '1763629200000' })).toBe('2025-11-20 09:00:00');
    for (const x of ['soon', '2026-02-31', '20', {}, null, '2026-11-20T25:00']) {
      expect(['', '1970-01-01 00:00:20']).toContain(render(text, { x }));
    }
    expect(render('{{date x "ddd D MMM YY"}}', { x: '2026-11-20' })).toBe('Fri 20 Nov 26');
  });

  test('helpers nest; json stays JSON where JSON is written', () => {
    expect(render('{{upper (trim (default missing " a "))}}')).toBe('A');
    expect(render('{"a":{{json id}},"b":"{{json id}}"}', order, 'json')).toBe('{"a":"o-1","b":"\\"o-1\\""}');
    expect(render('{{#if (length tags)}}{{length tags}}{{/if}}', order)).toBe('2');
  });
});

describe('limits', () => {
  test('too many steps and too long a text are refused', () => {
    const scope = scopeOf(order);
    const loop = parseVariableText('{{#each tags}}{{this}}{{/each}}');
    expect(() => renderText(loop, scope, 'none', { steps: 4 })).toThrow(VariableBudgetError);
    expect(renderText(loop, scope, 'none', { steps: 5 })).toBe('ab');
    expect(() => renderText(parseVariableText('abc{{id}}'), scope, 'none', { outputCharacters: 5 })).toThrow(
      'longer than 5 characters',
    );
  });
});
