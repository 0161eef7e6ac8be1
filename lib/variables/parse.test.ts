import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { VariableSyntaxError } from './errors.ts';
import { parseVariableText } from './parse.ts';
import { render } from '#lib/variables/testing/render.ts';

function errorOf(text: string): VariableSyntaxError {
  try {
    parseVariableText(text);
  } catch (error) {
    if (error instanceof VariableSyntaxError) return error;
    throw error;
  }
  throw new Error('was taken');
}

describe('docs/variables.md: refused when saved, with line and column', () => {
  test.each([
    ['partial', 'a\n  {{> x}}', 2, 3, 'partials'],
    ['partial block', '{{#> x}}{{/x}}', 1, 1, 'partials'],
    ['decorator', '{{* x}}', 1, 1, 'decorators'],
    ['inline decorator', '{{#*inline "x"}}{{/inline}}', 1, 1, 'decorators'],
    ['raw block', '{{{{raw}}}}{{{{/raw}}}}', 1, 1, 'raw block'],
    ['unknown helper', '\r\n\n{{a}} {{lookup a "b"}}', 3, 7, 'unknown helper "lookup"'],
    ['unknown helper in parentheses', '{{upper (lookup a "b")}}', 1, 9, 'unknown helper "lookup"'],
    ['unknown block', '{{#foo}}{{/foo}}', 1, 1, 'unknown block "foo"'],
    ['unknown else', '{{#if a}}{{else foo}}{{/if}}', 1, 10, 'unknown block "foo"'],
    ['hash', '{{upper a b=c}}', 1, 1, 'x=y'],
    ['unknown name of a value', '{{date a when=b}}', 1, 1, 'no value "when"'],
    ['zone that there is not', '{{date a zone="Berlin"}}', 1, 1, 'no time zone "Berlin"'],
    ['language that there is not', '{{date a locale="german!"}}', 1, 1, 'no language "german!"'],
    ['too many values', '{{upper a b}}', 1, 1, '{{upper value}}'],
    ['block without value', '{{#if}}x{{/if}}', 1, 1, 'exactly one value'],
    ['block parameters of if', '{{#if a as |b|}}x{{/if}}', 1, 1, 'at most 0 names'],
    ['unclosed variable', 'x {{a', 1, 3, 'is not closed: add }}'],
    ['unclosed triple', '{{{a}}', 1, 1, 'put a space after it'],
    ['tag in a tag', '{{a {{b}}', 1, 1, 'is not closed'],
    ['unclosed block', 'x\n{{#if a}}\ny', 2, 1, '{{#if}} is not closed: add {{/if}}'],
    ['unclosed string', '{{upper "a}}', 1, 9, 'the string is not closed'],
    ['unclosed segment', '{{a.[b}}', 1, 5, 'the [segment] is not closed'],
    ['unclosed comment', 'a {{!-- b }}', 1, 3, 'add --}}'],
    ['wrong close', '{{#if a}}{{/each}}', 1, 10, 'should close {{#if}} of line 1, column 1'],
    ['close without open', '{{/if}}', 1, 1, 'closes nothing'],
    ['else outside', '{{else}}', 1, 1, 'outside a block'],
    ['two else', '{{#if a}}{{else}}{{else}}{{/if}}', 1, 18, 'a second {{else}}'],
    ['empty', '{{ }}', 1, 1, 'braces are empty'],
    ['key in brackets', '{{a["b"]}}', 1, 4, 'customer.[my key]'],
    ['nonsense after an index', '{{a[0]}} {{a[1]=}}', 1, 10, 'cannot read "{{a[1]=}}"'],
    ['unknown data', '{{@foo}}', 1, 3, '@index'],
    ['a literal with values', '{{"upper" a}}', 1, 1, 'a helper was expected'],
    ['NUL', 'a\u0000', 1, 2, 'NUL'],
  ])('%s', (_what, text, line, column, message) => {
    const error = errorOf(text);
    expect(error.message).toContain(message);
    expect({ line: error.line, column: error.column }).toEqual({ line, column });
  });
});

describe('what Handlebars alone would misread', () => {
  const body = { a: { b: 'v' }, 'x]y': 1, 'back\\': 2, list: [[7]], 'q"': 3, true: { null: 4 } };

  test('a brace right after a variable', () => {
    expect(render('{"x":{"y":{{a}}}}', body, 'json')).toBe('{"x":{"y":{"b":"v"}}}');
    expect(render('{{{a.b}}}}}{{a.b}}}', body)).toBe('v}}v}');
    expect(render('{{#if a}}{ {{a.b}}}{{/if}}}', body)).toBe('{ v}}');
  });

  test('indexes, and words that Handlebars keeps for itself, after a dot', () => {
    expect(render('{{list[0][0]}}{{list.0.0}}{{list.[0].[0]}}{{list[ 0 ].0}}', body)).toBe('7777');
    expect(render('{{[true].null}}', body)).toBe('4');
  });

  test('brackets and quotes inside segments and strings', () => {
    expect(render('{{[x\\]y]}}{{[back\\\\]}}{{[q"]}} {{a.b}}', body)).toBe('123 v');
    expect(render(`{{default z "a[0]}}\\"."}}{{default z 'it[1]'}}{{default z "é\n"}}`, body)).toBe(
      'a[0]}}".it[1]é\n',
    );
    expect(render('{{! a[0] {{ }}{{!-- }} {{a[0]}} --}}a[0]{{a.b}}', body)).toBe('a[0]v');
  });

  test('numbers stay numbers', () => {
    expect(render('{{number 1.25 1}} {{number -0.5 0}}', body)).toBe('1.3 -1');
  });

  test('\\{{ is text, \\\\{{ a backslash before a variable', () => {
    expect(render('\\{{a.b}} {{a.b}} \\\\{{a.b}} \\{{\\{{a.b}}', body)).toBe('{{a.b}} v \\v {{{{a.b}}');
  });

  test('property: whatever the text, an error of ours with a place inside it, or a text', () => {
    const piece = fc.constantFrom(
      ...[
        '{{',
        '}}',
        '{{{',
        '}}}',
        '{',
        '}',
        'a',
        '.',
        '[0]',
        '[',
        ']',
        '"',
        "'",
        '\\',
        ' ',
        '\n',
        '#if a',
        '/if',
        '#each a',
        '/each',
      ],
      ...[
        'else',
        '^',
        '!',
        '!--',
        '--',
        '~',
        '(',
        ')',
        'upper ',
        '>',
        '*',
        '&',
        '@index',
        '..',
        '/',
        '|',
        '1',
        '=',
        'this',
        '$now',
        '\r\n',
      ],
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 14 }), (pieces) => {
        const text = pieces.join('');
        try {
          render(text, body);
        } catch (error) {
          expect(error).toBeInstanceOf(VariableSyntaxError);
          const { line, column } = error as VariableSyntaxError;
          const lines = text.split(/\r\n?|\n/);
          expect(line).toBeLessThanOrEqual(lines.length);
          expect(column).toBeLessThanOrEqual((lines[line - 1]?.length ?? 0) + 1);
        }
      }),
      { numRuns: 3_000 },
    );
  });
});

describe('{{1}}: the platform’s placeholders', () => {
  test('spec, template_components: they pass through untouched, variables beside them do not', () => {
    const parsed = parseVariableText('Hi {{1}}, {{ 2 }} {{a}}', { keepPlaceholders: true });
    expect(parsed.nodes).toMatchObject([{ kind: 'text', text: 'Hi {{1}}, {{ 2 }} ' }, { kind: 'output' }]);
  });

  test('elsewhere a number is the name of a field', () => {
    expect(render('{{1}}{{"my field"}}', { '1': 'one', 'my field': '!' })).toBe('one!');
  });
});

describe('cache', () => {
  test('a text is parsed once; placeholders are kept apart', () => {
    expect(parseVariableText('{{cached}} {{1}}')).toBe(parseVariableText('{{cached}} {{1}}'));
    expect(parseVariableText('{{cached}} {{1}}')).not.toBe(
      parseVariableText('{{cached}} {{1}}', { keepPlaceholders: true }),
    );
  });
});
