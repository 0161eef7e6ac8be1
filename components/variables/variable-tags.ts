/** A `{{…}}` in a text: a variable, or another tag. */
export interface VariableTag {
  from: number;
  to: number;
  /** The path, when the tag is exactly one variable; undefined for blocks, helpers and comments. */
  path: string | undefined;
  /** The name that it looks up, `task_5_name`; undefined where that is unknown. */
  name: string | undefined;
}

const TAG = /\{\{([^{}]*)\}\}/g;
const PATH = /^(?:[\p{L}\p{N}_$-]+|\[[^\]]*\])(?:\.(?:[\p{L}\p{N}_$-]+|\[[^\]]*\])|\[\d+\])*$/u;
const WORDS = ['else', 'this', 'true', 'false', 'null', 'undefined'];

/** Every tag of a text, in its order. */
export function findTags(text: string): VariableTag[] {
  return [...text.matchAll(TAG)].map((match) => {
    const inner = (match[1] ?? '').trim();
    const isPath = PATH.test(inner) && !WORDS.includes(inner);
    const name = /(?:^|[\s(#])((?:task_\d|\$)[\p{L}\p{N}_$-]*)/u.exec(inner)?.[1];
    return {
      from: match.index,
      to: match.index + match[0].length,
      path: isPath ? inner : undefined,
      name: isPath ? inner.split(/[.[]/)[0] : name,
    };
  });
}
