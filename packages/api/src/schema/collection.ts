// Schemas of lists and of objects whose keys are data.
import * as z from 'zod/mini';
import type { JsonObject } from '../kube/json.ts';
import { withMeta } from './meta.ts';
import { withRules } from './rule.ts';

/** Maximum length of lists that have CEL rules, or whose items do, so that the rules stay cheap to evaluate. */
const LIST_LIMIT = 1000;

/** A list of at most `maximum` items. */
export function list<T>(
  item: z.ZodMiniType<T>,
  { minimum = 0, maximum = LIST_LIMIT }: { readonly minimum?: number; readonly maximum?: number } = {},
): z.ZodMiniType<readonly T[]> {
  const bounded = z.array(item).check(z.maxLength(maximum));
  return minimum === 0 ? bounded : bounded.check(z.minLength(minimum));
}

/** A list without a bound; only for items without CEL rules. */
export function anyLength<T>(item: z.ZodMiniType<T>): z.ZodMiniType<readonly T[]> {
  return z.array(item);
}

/** An object whose keys are data. */
export function mapOf<T>(value: z.ZodMiniType<T>): z.ZodMiniType<Readonly<Record<string, T>>> {
  return z.record(z.string(), value);
}

const LABEL_NAME = /^[A-Za-z0-9]([-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?$/;
const LABEL_PREFIX = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$/;

function isLabelKey(key: string): boolean {
  const slash = key.indexOf('/');
  if (slash < 0) return LABEL_NAME.test(key);
  return slash <= 253 && LABEL_PREFIX.test(key.slice(0, slash)) && LABEL_NAME.test(key.slice(slash + 1));
}

/** The name of a Kubernetes label. */
export const labelKey: z.ZodMiniType<string> = withRules(z.string(), [
  { message: 'must be the name of a label, like app or example.com/app', holds: isLabelKey },
]);

/** Kubernetes labels. */
export const labels: z.ZodMiniType<Readonly<Record<string, string>>> = withRules(mapOf(z.string()), [
  {
    message: 'must be labels: keys like app or example.com/app, values of up to 63 letters, digits, -, _ and .',
    holds: (value) =>
      Object.entries(value).every(([key, text]) => isLabelKey(key) && (text === '' || LABEL_NAME.test(text))),
  },
]);

/** A JSON object with unknown fields; its content is not validated. */
export const jsonObject: z.ZodMiniType<JsonObject> = withMeta(z.record(z.string(), z.unknown()), {
  'x-kubernetes-preserve-unknown-fields': true,
}) as unknown as z.ZodMiniType<JsonObject>;
