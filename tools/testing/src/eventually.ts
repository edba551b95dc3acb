/** Waits for a condition instead of a fixed time. */

/**
 * Resolves with the first value of `probe` that is neither undefined, null nor false.
 * @param every milliseconds between two probes
 * @throws Error after `deadline` milliseconds with the last observation (of `seen`, or the probe's own error).
 */
export async function eventually<T>(
  what: string,
  probe: () => T | Promise<T>,
  { deadline = 60_000, every = 10, seen }: { deadline?: number; every?: number; seen?: () => unknown } = {},
): Promise<NonNullable<Exclude<T, false>>> {
  const end = performance.now() + deadline;
  let failure: unknown;
  do {
    try {
      const value = await probe();
      if (value !== undefined && value !== null && value !== false) return value as NonNullable<Exclude<T, false>>;
      failure = undefined;
    } catch (error) {
      failure = error;
    }
    await new Promise((wake) => setTimeout(wake, every));
  } while (performance.now() < end);
  throw new Error(
    `waited ${deadline} ms for: ${what}; saw ${JSON.stringify(seen?.() ?? String(failure ?? 'nothing'))}`,
    {
      cause: failure,
    },
  );
}
