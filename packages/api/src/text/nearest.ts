// Finds the word that a misspelled one was probably meant to be.

/** The share of the letters that may differ. */
const TOLERANCE = 0.45;

/**
 * The candidate with the fewest edits from `word`, ignoring letter case; undefined if none is close. An edit inserts,
 * deletes or replaces a letter or swaps two neighbours.
 */
export function nearest(word: string, candidates: Iterable<string>): string | undefined {
  if (word.length > 64) return undefined;
  let best: string | undefined;
  let bestDistance = Number.POSITIVE_INFINITY;
  for (const candidate of candidates) {
    const tolerated = Math.max(1, Math.floor(TOLERANCE * Math.max(word.length, candidate.length)));
    const limit = Math.min(bestDistance, tolerated + 1);
    const distance = editDistance(word.toLowerCase(), candidate.toLowerCase(), limit);
    if (distance < limit) [best, bestDistance] = [candidate, distance];
  }
  return best;
}

/** Optimal string alignment distance; any number not below `limit` means "too far". */
function editDistance(left: string, right: string, limit: number): number {
  if (Math.abs(left.length - right.length) >= limit) return limit;
  let beforePrevious: number[] = [];
  let previous = Array.from({ length: right.length + 1 }, (_, index) => index);
  for (let i = 1; i <= left.length; i++) {
    const current = [i];
    for (let j = 1; j <= right.length; j++) {
      const cost = left[i - 1] === right[j - 1] ? 0 : 1;
      let distance = Math.min(at(previous, j) + 1, at(current, j - 1) + 1, at(previous, j - 1) + cost);
      if (i > 1 && j > 1 && left[i - 1] === right[j - 2] && left[i - 2] === right[j - 1]) {
        distance = Math.min(distance, at(beforePrevious, j - 2) + 1);
      }
      current.push(distance);
    }
    [beforePrevious, previous] = [previous, current];
  }
  return at(previous, right.length);
}

function at(row: readonly number[], index: number): number {
  return row[index] ?? Number.POSITIVE_INFINITY;
}
