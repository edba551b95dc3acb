/** Parses faults for the admin endpoint. */
import type { Fault, FaultMatch, FaultRule } from '../faults/fault.ts';
import type { Json, JsonObject } from '../object.ts';
import { isObject } from '../schema/json-values.ts';

type Check = (value: Json) => boolean;

const text: Check = (value) => typeof value === 'string';
const texts: Check = (value) => Array.isArray(value) && value.every((each) => typeof each === 'string');
const count: Check = (value) => typeof value === 'number' && Number.isSafeInteger(value) && value >= 0;
const code: Check = (value) => count(value) && (value as number) >= 400 && (value as number) <= 599;

const MATCH: Readonly<Record<keyof FaultMatch, Check>> = {
  verbs: texts,
  group: text,
  resource: text,
  namespace: text,
  name: text,
  subresource: text,
  user: text,
  path: text,
};

/** The fields of each kind of fault; those whose name ends in `?` are optional. */
const FAULTS: Readonly<Record<Fault['kind'], Readonly<Record<string, Check>>>> = {
  error: { code, 'message?': text, 'retryAfterSeconds?': count },
  delay: { milliseconds: count },
  reset: {},
  hang: {},
  held: {},
  pretended: {},
  'empty-list': {},
  'lost-reply': {},
  'cut-reply': {},
  'expired-continue': {},
  stale: { 'revision?': count },
  'dropped-watch': {},
  'expired-watch': {},
  'silent-watch': {},
};

/** @throws Error naming the field and the expected value */
export function parseRule(value: Json | undefined): FaultRule {
  const rule = object('rule', value);
  const match = object('match', rule['match'] ?? {});
  checkFields('match', match, optional(MATCH));
  const fault = object('fault', rule['fault']);
  const { kind } = fault;
  if (typeof kind !== 'string' || !Object.hasOwn(FAULTS, kind))
    throw new Error(`fault.kind: expected one of ${Object.keys(FAULTS).join(', ')}, got ${JSON.stringify(kind)}`);
  checkFields('fault', fault, { kind: text, ...FAULTS[kind as Fault['kind']] });
  checkFields('rule', rule, {
    'match?': isObject as Check,
    fault: isObject as Check,
    'after?': count,
    'times?': count,
  });
  return { ...(rule as unknown as FaultRule), match: match as FaultMatch };
}

function object(what: string, value: Json | undefined): JsonObject {
  if (!isObject(value)) throw new Error(`${what}: expected an object, got ${JSON.stringify(value)}`);
  return value;
}

function optional(checks: Readonly<Record<string, Check>>): Record<string, Check> {
  return Object.fromEntries(Object.entries(checks).map(([field, check]) => [`${field}?`, check]));
}

function checkFields(what: string, value: JsonObject, checks: Readonly<Record<string, Check>>): void {
  for (const field of Object.keys(value)) {
    const check = checks[field] ?? checks[`${field}?`];
    if (check === undefined) {
      const known = Object.keys(checks).map((each) => each.replace('?', ''));
      throw new Error(`${what}.${field}: not known; there are ${known.join(', ')}`);
    }
    if (!check(value[field] as Json)) throw new Error(`${what}.${field}: got ${JSON.stringify(value[field])}`);
  }
  const missing = Object.keys(checks).find((field) => !field.endsWith('?') && value[field] === undefined);
  if (missing !== undefined) throw new Error(`${what}.${missing}: missing`);
}
