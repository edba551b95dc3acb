/** Where two texts begin to differ. */

/** `line: expected ..., found ...`; undefined if the texts are equal. */
export function firstDifference(expected: string, found: string): string | undefined {
  if (expected === found) return undefined;
  const [before, after] = [expected.split('\n'), found.split('\n')];
  const index = after.findIndex((line, at) => line !== before[at]);
  const line = index === -1 ? after.length : index;
  return `${line + 1}: expected ${quoted(before[line])}, found ${quoted(after[line])}`;
}

function quoted(line: string | undefined): string {
  return line === undefined ? 'the end of the file' : JSON.stringify(line);
}
