// Says in words what is wrong with a value: each complaint completes the sentence that begins with the field's name.
import type { z } from 'zod';
import { nearest } from '../text/nearest.ts';
import { showValue } from '../text/show-value.ts';

const TYPE_NAMES: Readonly<Record<string, string>> = {
  string: 'a string',
  number: 'a number',
  int: 'an integer',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
  record: 'an object',
};

/** The complaint about one issue other than unknown fields. */
export function complaint(issue: z.core.$ZodIssue): string {
  switch (issue.code) {
    case 'invalid_type':
      return issue.input === undefined
        ? `is required and must be ${typeName(issue.expected)}`
        : `must be ${typeName(issue.expected)}, got ${showValue(issue.input)}`;
    case 'invalid_value':
      return notOneOf(issue.values.map(String), issue.input);
    case 'too_small':
      return sized('at least', issue.minimum, issue);
    case 'too_big':
      return sized('at most', issue.maximum, issue);
    case 'custom':
      return typeof issue.input === 'object' ? issue.message : `${issue.message}, got ${showValue(issue.input)}`;
    default:
      return issue.message;
  }
}

function typeName(expected: string): string {
  return TYPE_NAMES[expected] ?? `of type ${expected}`;
}

function notOneOf(words: readonly string[], input: unknown): string {
  const choice = words.length === 1 ? `${words[0]}` : `one of ${words.join(', ')}`;
  if (input === undefined) return `is required and must be ${choice}`;
  const meant = typeof input === 'string' ? nearest(input, words) : undefined;
  return `must be ${choice}, got ${showValue(input)}${meant === undefined ? '' : `; did you mean ${meant}?`}`;
}

function sized(
  bound: 'at least' | 'at most',
  limit: number | bigint,
  { origin, inclusive, input }: { origin: string; inclusive?: boolean | undefined; input?: unknown },
): string {
  if (origin === 'string')
    return limit === 1 && bound === 'at least' ? 'must not be empty' : `must have ${bound} ${limit} characters`;
  if (origin === 'array')
    return `must have ${bound} ${limit} ${limit === 1 ? 'item' : 'items'}, got ${(input as unknown[]).length}`;
  const strictly = bound === 'at least' ? 'above' : 'below';
  return `must be ${inclusive === false ? strictly : bound} ${limit}, got ${showValue(input)}`;
}
