/**
 * Splits a source into identifiers and texts (comments and strings), without a compiler, so that the whole tree is read
 * in seconds.
 */

/** A piece of a file that is checked separately. */
export interface Token {
  readonly kind: 'id' | 'text';
  readonly text: string;
  /** Its start in the file. */
  readonly start: number;
}

const TOKEN =
  /\/\*[\s\S]*?\*\/|(?:\/\/[^\n]*(?:\n[ \t]*(?=\/\/))?)+|'(?:\\[\s\S]|[^'\\\n])*'|"(?:\\[\s\S]|[^"\\\n])*"|`|[A-Za-z_$][\w$]*|\d[\w.]*|\/|[^\s\w]/g;
const REGEX = /\/(?:\\.|\[(?:\\.|[^\]\\\n])*\]|[^/\\\n[])+\/[a-z]*/y;
/** After one of these, `/` begins a regular expression, not a division. */
const BEFORE_REGEX = /^(?:[([{,;=:?!&|+\-*%<>~^]|return|typeof|case|in|of|yield|await|throw)$/;
const IMPORTS = new Set(['from', 'import', 'require']);

/** Tokens of a TypeScript or JavaScript source, without import specifiers. */
export function tokensOfCode(source: string): Token[] {
  const tokens: Token[] = [];
  /** One entry for each open template: the number of open braces in its current expression. */
  const templates: number[] = [];
  let before = '';
  let beforeThat = '';
  let at = source.startsWith('#!') ? source.indexOf('\n') : 0;
  while (at >= 0 && at < source.length) {
    TOKEN.lastIndex = at;
    const match = TOKEN.exec(source);
    if (!match) break;
    const [text] = match;
    const start = match.index;
    at = start + text.length;
    const first = text.charAt(0);
    if (text.startsWith('/*') || text.startsWith('//')) {
      tokens.push({ kind: 'text', text, start });
      continue;
    }
    if (first === "'" || first === '"') {
      const isImport = IMPORTS.has(before) || (before === '(' && IMPORTS.has(beforeThat));
      if (!isImport) tokens.push({ kind: 'text', text: text.slice(1, -1), start: start + 1 });
    } else if (first === '`' || (first === '}' && templates.at(-1) === 0)) {
      if (first === '}') templates.pop();
      const end = endOfTemplate(source, at);
      tokens.push({ kind: 'text', text: source.slice(at, end), start: at });
      const goesOn = source.charAt(end) === '$';
      if (goesOn) templates.push(0);
      at = end + (goesOn ? 2 : 1);
      [beforeThat, before] = [before, goesOn ? '{' : '`'];
      continue;
    } else if (first === '{' || first === '}') {
      if (templates.length > 0) templates.push((templates.pop() ?? 0) + (first === '{' ? 1 : -1));
    } else if (first === '/' && (before === '' || BEFORE_REGEX.test(before))) {
      REGEX.lastIndex = start;
      at = start + (REGEX.exec(source)?.[0].length ?? 1);
    } else if (/[A-Za-z_$]/.test(first)) {
      tokens.push({ kind: 'id', text, start });
    }
    [beforeThat, before] = [before, text];
  }
  return tokens;
}

/** Tokens of a protobuf schema: its comments and its names. */
export function tokensOfProto(source: string): Token[] {
  return tokensOfCode(source);
}

function endOfTemplate(source: string, from: number): number {
  for (let at = from; at < source.length; at++) {
    const char = source.charAt(at);
    if (char === '\\') at++;
    else if (char === '`' || (char === '$' && source.charAt(at + 1) === '{')) return at;
  }
  return source.length;
}

/** A text on one line, so that a pattern finds words across a line break; `lineOf` counts from 0. */
export function joinLines(text: string): { readonly joined: string; lineOf(offset: number): number } {
  if (!text.includes('\n')) return { joined: text, lineOf: () => 0 };
  const starts: number[] = [];
  let joined = '';
  for (const line of text.split('\n')) {
    starts.push(joined.length);
    joined += `${line.replace(/^\s*(?:\*(?!\*)|\/\/|#+|>)?\s*/, '').trimEnd()} `;
  }
  return { joined, lineOf: (offset) => starts.findLastIndex((start) => start <= offset) };
}
