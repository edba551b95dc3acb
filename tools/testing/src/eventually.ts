/** Waits for a condition instead of a fixed time. */

/** Pauses are this many times as long as the probe before, so that probes leave the CPU to what they wait for. */
const PAUSE_PER_PROBE = 3;
/** The longest pause for that reason, in milliseconds. */
const LONGEST_PAUSE = 300;

/** The pause after a probe. All in milliseconds. */
export function pauseAfter(probe: number, every: number): number {
  return Math.max(every, Math.min(probe * PAUSE_PER_PROBE, LONGEST_PAUSE));
}

/**
 * Resolves with the first value of `probe` that is neither undefined, null nor false.
 * @param every milliseconds between two probes, at least
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
    const begun = performance.now();
    try {
      const value = await probe();
      if (value !== undefined && value !== null && value !== false) return value as NonNullable<Exclude<T, false>>;
      failure = undefined;
    } catch (error) {
      failure = error;
    }
    await new Promise((wake) => setTimeout(wake, pauseAfter(performance.now() - begun, every)));
  } while (performance.now() < end);
  throw new Error(
    `waited ${deadline} ms for: ${what}; saw ${JSON.stringify(seen?.() ?? String(failure ?? 'nothing'))}`,
    {
      cause: failure,
    },
  );
}
