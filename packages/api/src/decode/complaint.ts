// Formats the problem of a value: each complaint completes a sentence that begins with the field's name.
import type * as z from 'zod/mini';
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

/** The complaint about one issue, except unknown fields. */
export function complaint(issue: z.core.$ZodIssue): string {
  switch (issue.code) {
    case 'invalid_type':
      return ofAnotherType(issue);
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

/** For text with a syntax the expected form; for any other type its name. */
function ofAnotherType({ expected, input, message }: z.core.$ZodIssueInvalidType): string {
  const expectedText = message.startsWith('must be ') ? message : `must be ${typeName(expected)}`;
  if (input === undefined) return `is required and ${expectedText}`;
  return `${expectedText}, got ${showValue(input)}${toWrite(expected, input, expectedText)}`;
}

/** The suggested value, if the given one shows the intention. */
function toWrite(expected: string, input: unknown, expectedText: string): string {
  switch (expected) {
    case 'string':
      return isScalar(input) && expectedText === 'must be a string' ? '; quote it' : '';
    case 'number':
    case 'int':
    case 'boolean': {
      const plain = typeof input === 'string' ? unquoted(expected, input.trim()) : undefined;
      return plain === undefined ? '' : `; write ${plain}, without quotes`;
    }
    case 'array':
      return input === null || Array.isArray(input) ? '' : '; begin each item with a dash';
    default:
      return '';
  }
}

function isScalar(input: unknown): boolean {
  return typeof input === 'number' || typeof input === 'boolean';
}

function unquoted(expected: string, text: string): string | undefined {
  const plain = expected === 'boolean' ? /^(true|false)$/.exec(text) : /^(-?\d+(?:\.\d+)?)%?$/.exec(text);
  return plain?.[1];
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
