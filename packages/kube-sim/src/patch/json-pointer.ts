/** JSON pointers (RFC 6901) in JSON patches. */

/**
 * The reference tokens of a pointer, unescaped; none for the whole document.
 * @throws Error when the pointer is neither empty nor begins with `/`, or contains an invalid `~` escape
 */
export function parsePointer(pointer: string): string[] {
  if (pointer === '') return [];
  if (!pointer.startsWith('/')) throw new Error(`pointer "${pointer}" must be empty or begin with /`);
  return pointer
    .slice(1)
    .split('/')
    .map((token) => {
      if (/~(?![01])/.test(token)) throw new Error(`pointer "${pointer}" holds a ~ that is neither ~0 nor ~1`);
      return token.replaceAll('~1', '/').replaceAll('~0', '~');
    });
}

/** The array position of a token: digits without leading zeros, or `-` for the end; else undefined. */
export function arrayIndex(token: string, length: number): number | undefined {
  if (token === '-') return length;
  return /^(0|[1-9][0-9]*)$/.test(token) ? Number(token) : undefined;
}
