/** Text that others wrote, for a terminal. */

/** Without what a terminal takes for commands, or for the direction of writing: proxies log whatever clients send. */
export function plain(text: string): string {
  let shown = '';
  for (const character of text) {
    const code = character.codePointAt(0) ?? 0;
    shown += isCommand(code) ? `\\u${code.toString(16).padStart(4, '0')}` : character;
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
