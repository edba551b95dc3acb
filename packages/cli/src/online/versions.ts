/** Which versions of programs may run together: those of neighbouring minor releases. */

interface Release {
  readonly major: number;
  readonly minor: number;
}

/** Minor versions of 0 count like those of any other major version. */
export function areNeighbours(one: string, other: string): boolean {
  const [a, b] = [releaseOf(one), releaseOf(other)];
  if (a === undefined || b === undefined) return one === other;
  return a.major === b.major && Math.abs(a.minor - b.minor) <= 1;
}

function releaseOf(version: string): Release | undefined {
  const [, major, minor] = /(?:^v?|\/v?)(\d+)\.(\d+)\./.exec(version) ?? [];
  return major === undefined || minor === undefined ? undefined : { major: Number(major), minor: Number(minor) };
}

/** Whether a version is of a later minor release than another. */
export function isNewer(version: string, than: string): boolean {
  const [a, b] = [releaseOf(version), releaseOf(than)];
  if (a === undefined || b === undefined) return false;
  return a.major > b.major || (a.major === b.major && a.minor > b.minor);
}

/** Whether both are releases, more than one minor version apart. */
export function areApart(one: string, other: string): boolean {
  return releaseOf(one) !== undefined && releaseOf(other) !== undefined && !areNeighbours(one, other);
}
