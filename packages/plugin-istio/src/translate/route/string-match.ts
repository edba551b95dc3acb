/** Istio's StringMatch, which supports exact, prefix and regex. */
import type { StringMatchView } from '@meshrelay/plugin';
import { literal } from './match.ts';

export function stringMatch(match: StringMatchView): Record<string, string> {
  const any = match.ignoreCase ? '(?i)' : '';
  if ('regex' in match) return { regex: `${any}${match.regex}` };
  if ('suffix' in match) return { regex: `${any}.*${literal(match.suffix)}` };
  if ('exact' in match) return match.ignoreCase ? { regex: `${any}${literal(match.exact)}` } : { exact: match.exact };
  return match.ignoreCase ? { regex: `${any}${literal(match.prefix)}.*` } : { prefix: match.prefix };
}
