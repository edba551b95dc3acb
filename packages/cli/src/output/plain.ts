/** Sanitizes foreign text for a terminal. */

/** In one line, without control sequences and direction marks: proxies log whatever clients send. */
export function plain(text: string): string {
  return escaped(text, isCommand);
}

/** The same for whole lines, whose line ends and tabs stay. */
export function plainLines(text: string): string {
  return escaped(text, (code) => code !== LINE_END && code !== TAB && isCommand(code));
}

const TAB = 0x09;
const LINE_END = 0x0a;

function escaped(text: string, isBad: (code: number) => boolean): string {
  let shown = '';
  for (const character of text) {
    const code = character.codePointAt(0) ?? 0;
    shown += isBad(code) ? `\\u${code.toString(16).padStart(4, '0')}` : character;
  }
  return shown;
}

function isCommand(code: number): boolean {
  return (
    code < 0x20 ||
    (code >= 0x7f && code <= 0x9f) ||
    (code >= 0x202a && code <= 0x202e) ||
    (code >= 0x2066 && code <= 0x2069) ||
    code === 0x2028 ||
    code === 0x2029
  );
}
