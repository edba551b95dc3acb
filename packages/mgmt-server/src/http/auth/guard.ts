/** Who may read the HTTP API: the bearer token of a request is asked about, and the answer remembered for a short while. */
import { createHash } from 'node:crypto';

/** What became of a request's token. */
export type Admission =
  | { readonly admitted: true; readonly user: string }
  /** `unknown`: the token is nobody's. `forbidden`: somebody's who may not. */
  | { readonly admitted: false; readonly reason: 'unknown' | 'forbidden'; readonly message: string };

/** Judges a token for a path. Rejects where that cannot be found out now. */
export type Guard = (token: string, path: string) => Promise<Admission>;

/** Milliseconds for which a yes, and a no, is remembered: so long a withdrawn right may still be used. */
const CACHED = { yes: 10_000, no: 2_000 };
const MAX_CACHED = 1_000;

/**
 * A guard that asks `guard` once for many requests. Tokens are kept as hashes.
 * @param now monotonic milliseconds
 */
export function remembering(guard: Guard, now: () => number): Guard {
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
