/** Users of a user namespace. */

/**
 * Whether the namespace has a user.
 * @param map as in `/proc/PID/uid_map`: each line has the first user inside, the first outside, and their number
 */
export function hasUser(map: string, user: number): boolean {
  return map
    .trim()
    .split('\n')
    .map((line) => line.trim().split(/\s+/).map(Number))
    .some(([first = 0, , count = 0]) => user >= first && user < first + count);
}
