/** Queries in URL syntax: `status=5xx&path=/api*&destination=reviews.bookinfo`. */
import type { LogQuery, WorkloadQuery } from './log-query.ts';

/** An invalid parameter; the message names it and the expected value. */
export class ParameterError extends Error {
  override readonly name = 'ParameterError';
}

/** Parameters that {@link logQueryOf} reads. */
export const QUERY_PARAMETERS: readonly string[] = [
  'workload',
  'source',
  'destination',
  'status',
  'path',
  'method',
  'kind',
  'since',
  'until',
];

/** @throws ParameterError */
export function logQueryOf(parameters: URLSearchParams): LogQuery {
  const value = (name: string): string | undefined => parameters.get(name) ?? undefined;
  const [path, method, kind] = [value('path'), value('method'), value('kind')];
  if (kind !== undefined && kind !== 'http' && kind !== 'tcp')
    throw new ParameterError(`kind: expected http or tcp, found ${kind}`);
  const status = parameters.getAll('status').flatMap((each) => each.split(','));
  return {
    ...workloadOf('workload', value('workload')),
    ...workloadOf('source', value('source')),
    ...workloadOf('destination', value('destination')),
    ...(status.length > 0 && { status: status.map(statusRange) }),
    ...(path !== undefined && { path: path.endsWith('*') ? { prefix: path.slice(0, -1) } : { exact: path } }),
    ...(method !== undefined && { method }),
    ...(kind !== undefined && { kind }),
    ...time('since', value('since')),
    ...time('until', value('until')),
  };
}

/**
 * `NAME`, `NAME.NAMESPACE` or `NAME.NAMESPACE.CLUSTER`: cluster names may contain dots; dots in workload names are not
 * supported.
 * @throws ParameterError
 */
export function workloadOf<P extends 'workload' | 'source' | 'destination'>(
  parameter: P,
  text: string | undefined,
): Partial<Record<P, WorkloadQuery>> {
  if (text === undefined) return {};
  const [name = '', namespace, ...cluster] = text.split('.');
  if (name === '' || namespace === '' || cluster.includes('') || text.includes('/'))
    throw new ParameterError(`${parameter}: expected NAME, NAME.NAMESPACE or NAME.NAMESPACE.CLUSTER, found ${text}`);
  const found: WorkloadQuery = {
    name,
    ...(namespace !== undefined && { namespace }),
    ...(cluster.length > 0 && { cluster: cluster.join('.') }),
  };
  return { [parameter]: found } as Record<P, WorkloadQuery>;
}

/** @throws ParameterError */
export function limitOf(text: string | undefined, { max, fallback }: { max: number; fallback: number }): number {
  if (text === undefined) return fallback;
  if (/^\d{1,6}$/.test(text) && Number(text) >= 1 && Number(text) <= max) return Number(text);
  throw new ParameterError(`limit: expected 1 to ${max}, found ${text}`);
}

/** @throws ParameterError */
export function refuseUnknown(parameters: URLSearchParams, known: readonly string[]): void {
  for (const name of parameters.keys())
    if (!known.includes(name)) throw new ParameterError(`${name}: unknown; choose of ${known.join(', ')}`);
}

/** `503`, `5xx`, `400-499` or `>=500`. */
function statusRange(text: string): readonly [number, number] {
  const hundred = /^([0-9])xx$/i.exec(text)?.[1];
  if (hundred !== undefined) return [Number(hundred) * 100, Number(hundred) * 100 + 99];
  const [, sign, bound] = /^(>=|>|<=|<)(\d{1,3})$/.exec(text) ?? [];
  if (bound !== undefined) {
    const at = Number(bound);
    if (sign === '>=' || sign === '>') return [sign === '>' ? at + 1 : at, 999];
    return [0, sign === '<' ? at - 1 : at];
  }
  const [, from, to = from] = /^(\d{1,3})(?:-(\d{1,3}))?$/.exec(text) ?? [];
  if (from === undefined) throw new ParameterError(`status: expected 503, 5xx, 400-499 or >=500, found ${text}`);
  return [Number(from), Number(to)];
}

function time<P extends 'since' | 'until'>(name: P, text: string | undefined): Partial<Record<P, number>> {
  if (text === undefined) return {};
  const milliseconds = Date.parse(text);
  if (Number.isNaN(milliseconds))
    throw new ParameterError(`${name}: expected a time such as 2026-01-31T12:00:00Z, found ${text}`);
  return { [name]: milliseconds } as Record<P, number>;
}
