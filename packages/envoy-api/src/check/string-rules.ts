/** Rules of texts and bytes: lengths, prefixes, patterns. */
import { type BytesRules, KnownRegex, type StringRules } from '../gen/validate/validate_pb.ts';

/** Characters that are invalid in the name or value of a header, unless a stricter rule exists. */
const LOOSE = ['\0', '\r', '\n'];
const STRICT: Readonly<Record<number, RegExp>> = {
  [KnownRegex.HTTP_HEADER_NAME]: /^:?[0-9a-zA-Z!#$%&'*+\-.^_|~`]+$/,
  [KnownRegex.HTTP_HEADER_VALUE]: /^(?:\t|\P{Cc})*$/u,
};

/** The fault of a text, if any. Patterns are RE2's; one that JavaScript cannot compile is left to Envoy. */
export function stringProblem(rules: StringRules, value: string): string | undefined {
  const has = (name: keyof StringRules): boolean => Object.hasOwn(rules, name);
  if (rules.ignoreEmpty && value === '') return undefined;
  // Lengths are counted only if a rule needs them: nearly every text has a rule.
  if (has('minLen') && charactersOf(value) < rules.minLen) return tooShort(rules.minLen, 'characters');
  if (has('maxLen') && charactersOf(value) > rules.maxLen)
    return `must have at most ${rules.maxLen} characters, has ${charactersOf(value)}`;
  if (has('minBytes') && bytesOf(value) < rules.minBytes) return tooShort(rules.minBytes, 'bytes');
  if (has('maxBytes') && bytesOf(value) > rules.maxBytes)
    return `must have at most ${rules.maxBytes} bytes, has ${bytesOf(value)}`;
  if (has('const') && value !== rules.const) return `must be "${rules.const}"`;
  if (has('prefix') && !value.startsWith(rules.prefix)) return `must begin with "${rules.prefix}"`;
  if (has('suffix') && !value.endsWith(rules.suffix)) return `must end with "${rules.suffix}"`;
  if (has('pattern') && !matches(rules.pattern, value)) return `must match ${rules.pattern}`;
  if (rules.in.length > 0 && !rules.in.includes(value)) return `must be one of ${rules.in.join(', ')}`;
  if (rules.notIn.includes(value)) return `must not be "${value}"`;
  if (rules.wellKnown.case !== 'wellKnownRegex') return undefined;
  const strict = STRICT[rules.wellKnown.value];
  const good = rules.strict ? (strict?.test(value) ?? true) : !LOOSE.some((bad) => value.includes(bad));
  return good || value === '' ? undefined : 'has characters that a header must not have';
}

/** The fault of bytes, if any. */
export function bytesProblem(rules: BytesRules, { length }: Uint8Array): string | undefined {
  if (rules.ignoreEmpty && length === 0) return undefined;
  if (Object.hasOwn(rules, 'minLen') && length < rules.minLen) return tooShort(rules.minLen, 'bytes');
  if (Object.hasOwn(rules, 'maxLen') && length > rules.maxLen)
    return `must have at most ${rules.maxLen} bytes, has ${length}`;
  return undefined;
}

/** Number of code points, as in the rules. */
function charactersOf(value: string): number {
  let count = 0;
  for (const _ of value) count++;
  return count;
}

function bytesOf(value: string): number {
  return new TextEncoder().encode(value).length;
}

function tooShort(least: bigint, what: string): string {
  return `must have at least ${least} ${what}`;
}

function matches(pattern: string, value: string): boolean {
  try {
    return new RegExp(pattern, 'u').test(value);
  } catch {
    return true;
  }
}
