/** Validates queries from any source. */
import { RelayError } from '@meshrelay/relay-protocol';
import * as z from 'zod';
import type { ObservedMethod, Query } from './observer.ts';

/** Maximum number of entries per answer. */
const MAX_ENTRIES = 5_000;

const text = z.string().max(512);
const workload = z.strictObject({ name: text, namespace: text, cluster: text }).partial();
const status = z.number().int().min(0).max(999);

const filter = z
  .strictObject({
    workload,
    source: workload,
    destination: workload,
    kind: z.enum(['http', 'tcp']),
    status: z.array(z.tuple([status, status])).max(32),
    path: z.union([z.strictObject({ exact: z.string().max(4096) }), z.strictObject({ prefix: z.string().max(4096) })]),
    method: text,
    since: z.number(),
    until: z.number(),
  })
  .partial();

const QUESTIONS = {
  'logs.search': z.strictObject({ query: filter, limit: z.number().int().min(1).max(MAX_ENTRIES) }),
  'logs.tail': z.strictObject({ query: filter, history: z.number().int().min(0).max(MAX_ENTRIES) }),
  'traffic.edges': z.strictObject({}),
} satisfies Readonly<Record<ObservedMethod, z.ZodType>>;

export function isObservedMethod(name: string): name is ObservedMethod {
  return Object.hasOwn(QUESTIONS, name);
}

/** @throws RelayError RELAY_E_PROTOCOL that names the field and the expected value */
export function readQuestion<M extends ObservedMethod>(method: M, given: unknown): Query<M> {
  const read = QUESTIONS[method].safeParse(given);
  if (read.success) return read.data as Query<M>;
  const [issue] = read.error.issues;
  throw new RelayError(
    'RELAY_E_PROTOCOL',
    `${method}: ${issue?.path.join('.') ?? ''}: ${issue?.message ?? 'is not valid'}`,
  );
}
