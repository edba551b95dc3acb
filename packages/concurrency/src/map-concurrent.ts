/** Maps with limited concurrency. */

/**
 * Calls `work` for each item, at most `limit` at once.
 * @returns the results in the order of the items, when all work has ended
 * @throws the first error; no further work starts after it
 */
export async function mapConcurrent<T, R>(
  items: readonly T[],
  limit: number,
  work: (item: T) => Promise<R>,
): Promise<R[]> {
  const results = new Array<R>(items.length);
  const rest = items.entries();
  const errors: unknown[] = [];
  const worker = async (): Promise<void> => {
    for (let next = rest.next(); !next.done && errors.length === 0; next = rest.next()) {
      const [index, item] = next.value;
      try {
        results[index] = await work(item);
      } catch (error) {
        errors.push(error);
      }
    }
  };
  await Promise.all(Array.from({ length: Math.min(limit, items.length) }, worker));
  if (errors.length > 0) throw errors[0];
  return results;
}
