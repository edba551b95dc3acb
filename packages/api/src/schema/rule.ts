// Rules about values that a type cannot express, once for the schema here and once, in CEL, for the API server.
import * as z from 'zod/mini';
import { type Meta, withMeta } from './meta.ts';
import { isShapeIssue } from './shape-issue.ts';

/** One rule about a value of type T. */
export interface Rule<T> {
  /** Completes "<field> ..."; the condition. */
  readonly message: string;
  /** Follows the message: the actual value if it breaks the rule. */
  readonly found?: (value: T) => string;
  /** Called only with values of the right shape. */
  readonly holds: (value: T) => boolean;
  /** The same over `self`, for the API server; omitted if CEL cannot express it. */
  readonly cel?: string;
  /** The field below the value that is at fault; omitted: the value itself. */
  readonly field?: string;
}

/** The rule in a CRD. */
export interface CelRule {
  readonly rule: string;
  readonly message: string;
  readonly fieldPath?: string;
}

/** `schema` with `rules`, which the CRD gets too; `meta` is copied to the CRD's schema. */
export function withRules<T>(schema: z.ZodMiniType<T>, rules: readonly Rule<T>[], meta: Meta = {}): z.ZodMiniType<T> {
  let ruled = schema;
  for (const rule of rules) {
    const options: z.core.$ZodCustomParams = {
      error: ({ input }) => messageOf(rule, input as T),
      path: rule.field === undefined ? [] : [rule.field],
      when: (payload) => !payload.issues.some(isShapeIssue),
    };
    ruled = ruled.check(z.refine(rule.holds, options));
  }
  const cel = rules.flatMap((rule): CelRule[] => (rule.cel === undefined ? [] : [celRule(rule, rule.cel)]));
  return withMeta(ruled, cel.length === 0 ? meta : { ...meta, 'x-kubernetes-validations': cel });
}

function messageOf<T>({ message, found }: Rule<T>, value: T): string {
  return found === undefined ? message : `${message}; ${found(value)}`;
}

function celRule<T>({ message, field }: Rule<T>, rule: string): CelRule {
  return field === undefined ? { rule, message } : { rule, message, fieldPath: `.${field}` };
}

/** Exactly one of the fields is present. */
export function exactlyOneOf<T extends object>(...fields: readonly (keyof T & string)[]): Rule<T> {
  return {
    message: `must have exactly one of ${fields.join(', ')}`,
    holds: (value) => present(value, fields) === 1,
    cel: `[${fields.map((field) => `has(self.${field})`).join(', ')}].exists_one(given, given)`,
  };
}

/** At most one of the fields is present. */
export function atMostOneOf<T extends object>(first: keyof T & string, second: keyof T & string): Rule<T> {
  return {
    message: `must not have both ${first} and ${second}`,
    holds: (value) => present(value, [first, second]) < 2,
    cel: `!has(self.${first}) || !has(self.${second})`,
  };
}

function present(value: object, fields: readonly string[]): number {
  return fields.filter((field) => Object.hasOwn(value, field)).length;
}
