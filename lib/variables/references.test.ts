import { describe, expect, test } from 'vitest';
import { parseVariableText } from './parse.ts';
import { listReferences } from './references.ts';

function references(text: string): string[] {
  return listReferences(parseVariableText(text)).map(
    ({ name, path, line, column }) => `${[name, ...path].join('>')} ${line}:${column}`,
  );
}

describe('names a text takes from outside', () => {
  test('with their places in the text as it was written', () => {
    const second = ' {{task_5.JSON.items[0].name}} {{upper (default $now "x")}}';
    expect(references(`{{a}}\n${second}`)).toEqual([
      'a 1:3',
      'task_5>JSON>items>0>name 2:4',
      `$now 2:${second.indexOf('$now') + 1}`,
    ]);
  });

  test('the place is right after rewritten indexes, strings and braces', () => {
    const text = '{"x":{{a[0].1}}} {{default b "a long text"}} {{c}}';
    expect(references(text)).toEqual([
      'a>0>1 1:8',
      `b 1:${text.indexOf('b "') + 1}`,
      `c 1:${text.indexOf('c}}') + 1}`,
    ]);
  });

  test('names of elements and block parameters are not from outside; .., @root and task names are', () => {
    const text =
      '{{#each a as |x|}}{{b}}{{x.c}}{{this}}{{../d}}{{@root.e}}{{task_5_f}}{{this.task_5_g}}{{@index}}{{/each}}{{h}}';
    expect(references(text).map((each) => each.split(' ')[0])).toEqual(['a', 'd', 'e', 'task_5_f', 'h']);
  });

  test('in both ways of a block', () => {
    expect(
      references('{{#if a}}{{b}}{{else}}{{#with c}}x{{else}}{{d}}{{/with}}{{/if}}').map((each) => each[0]),
    ).toEqual(['a', 'b', 'c', 'd']);
  });

  test('what stands in a block or has a default is guarded', () => {
    const text = '{{a}}{{#if b}}{{c}}{{/if}}{{default d e}}{{#each f}}{{../g}}{{/each}}{{upper h}}';
    const guarded = listReferences(parseVariableText(text)).map(({ name, isGuarded }) => [name, isGuarded]);
    expect(Object.fromEntries(guarded)).toEqual({
      a: false,
      b: true,
      c: true,
      d: true,
      e: true,
      f: true,
      g: true,
      h: false,
    });
  });
});
