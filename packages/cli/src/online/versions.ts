/** Comparisons of versions by their minor releases. */

interface Release {
  readonly major: number;
  readonly minor: number;
}

/**
 * Whether programs of both versions may run together. Minor versions of 0 count like those of any other major version.
 */
export function areNeighbours(one: string, other: string): boolean {
  const [a, b] = [releaseOf(one), releaseOf(other)];
  if (a === undefined || b === undefined) return one === other;
  return a.major === b.major && Math.abs(a.minor - b.minor) <= 1;
}

/** Whether a version is of a later minor release than another. */
export function isNewer(version: string, than: string): boolean {
  const [a, b] = [releaseOf(version), releaseOf(than)];
  return a !== undefined && b !== undefined && compare(a, b) > 0;
}

/** Whether a version is of a minor release, such as `3.14`, or of a later one; false for text without a version. */
export function isAtLeast(version: string, oldest: string): boolean {
  const [a, b] = [releaseOf(version), releaseOf(oldest)];
  return a !== undefined && b !== undefined && compare(a, b) >= 0;
}

/** Whether both are releases, more than one minor version apart. */
export function areApart(one: string, other: string): boolean {
  return releaseOf(one) !== undefined && releaseOf(other) !== undefined && !areNeighbours(one, other);
}

/** Of `1.2.3`, `v1.2.3+build`, `meshctl/1.2.3` or `1.2`. */
function releaseOf(version: string): Release | undefined {
  const [, major, minor] = /(?:^v?|\/v?)(\d+)\.(\d+)(?:\.|$)/.exec(version) ?? [];
  return major === undefined || minor === undefined ? undefined : { major: Number(major), minor: Number(minor) };
}

function compare(a: Release, b: Release): number {
  return a.major - b.major || a.minor - b.minor;
}
