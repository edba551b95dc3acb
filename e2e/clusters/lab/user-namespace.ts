/** Users of a user namespace. */

/**
 * Whether the namespace has a user.
 * @param map as in `/proc/PID/uid_map`: each line has the first user inside, the first outside, and their number
 */
export function hasUser(map: string, user: number): boolean {
  return rangesOf(map).some(([first = 0, , count = 0]) => user >= first && user < first + count);
}

/** Whether it is the machine's own: all users, each as itself. @param map as above */
export function isInitial(map: string): boolean {
  return rangesOf(map).some(([first, outside, count]) => first === 0 && outside === 0 && count === 2 ** 32 - 1);
}

function rangesOf(map: string): readonly (readonly number[])[] {
  return map
    .trim()
    .split('\n')
    .map((line) => line.trim().split(/\s+/).map(Number));
}
