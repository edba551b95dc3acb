/** Finds duplicate members in a JSON text, which `JSON.parse` accepts silently. */

/** Paths of duplicate members of an object, in document order. The text must be valid JSON. */
export function duplicateFields(text: string): string[] {
  const found: string[] = [];
  const levels: Level[] = [];
  for (const [token, quoted] of tokens(text)) {
    const level = levels.at(-1);
    if (quoted !== undefined && level?.keys !== undefined && level.expectsKey) {
      const key: string = JSON.parse(quoted);
      const path = childPath(level, key);
      if (level.keys.has(key)) found.push(path);
      level.keys.add(key);
      level.current = path;
      level.expectsKey = false;
    } else if (token === '{' || token === '[') {
      const path =
        level === undefined ? '' : level.keys === undefined ? `${level.path}[${level.index}]` : level.current;
      levels.push({ path, current: path, index: 0, keys: token === '{' ? new Set() : undefined, expectsKey: true });
    } else if (token === '}' || token === ']') {
      levels.pop();
    } else if (token === ',' && level !== undefined) {
      level.index++;
      level.expectsKey = true;
    }
  }
  return found;
}

interface Level {
  readonly path: string;
  /** Keys seen so far; undefined in a list. */
  readonly keys: Set<string> | undefined;
  current: string;
  index: number;
  expectsKey: boolean;
}

function childPath(level: Level, key: string): string {
  return level.path === '' ? key : `${level.path}.${key}`;
}

/** Whole strings, and single punctuation; numbers and words are irrelevant here and skipped. */
function* tokens(text: string): Generator<readonly [token: string, quoted: string | undefined]> {
  for (const match of text.matchAll(/"(?:[^"\\]|\\.)*"|[{}[\],]/g)) {
    const token = match[0];
    yield token.length > 1 ? ['"', token] : [token, undefined];
  }
}
