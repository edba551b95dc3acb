/**
 * Authentication of the HTTP API: a guard reviews the bearer token of a request, and its result is cached for a few
 * seconds.
 */
import { createHash } from 'node:crypto';

/** Result of a token check. */
export type Admission =
  | { readonly admitted: true; readonly user: string }
  /** `unknown`: the token has no user. `forbidden`: its user may not read. */
  | { readonly admitted: false; readonly reason: 'unknown' | 'forbidden'; readonly message: string };

/** Checks a token for a path. Rejects if the check is not possible now. */
export type Guard = (token: string, path: string) => Promise<Admission>;

/** Milliseconds for which admissions and denials are cached: a withdrawn permission can be used for that long. */
const CACHED = { yes: 10_000, no: 2_000 };
const MAX_CACHED = 1_000;

/**
 * Caches the results of `guard` across requests. Tokens are stored as hashes.
 * @param now monotonic milliseconds
 */
export function cached(guard: Guard, now: () => number): Guard {
  const known = new Map<string, { readonly until: number; readonly answer: Promise<Admission> }>();
  return (token, path) => {
    const id = createHash('sha256').update(`${token}\n${path}`).digest('base64');
    const found = known.get(id);
    if (found !== undefined && found.until > now()) return found.answer;
    known.delete(id);
    if (known.size >= MAX_CACHED) known.delete(known.keys().next().value ?? '');
    const answer = guard(token, path);
    known.set(id, { until: now() + CACHED.yes, answer });
    answer.then(
      ({ admitted }) => {
        if (!admitted) known.set(id, { until: now() + CACHED.no, answer });
      },
      () => known.delete(id),
    );
    return answer;
  };
}
