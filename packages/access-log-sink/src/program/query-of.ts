/** A query as people type it into a URL: `status=5xx&path=/api*&destination=bookinfo/reviews`. */
import type { LogQuery, WorkloadQuery } from '../query/log-query.ts';

const KNOWN = new Set([
  'workload',
  'source',
  'destination',
  'status',
  'path',
  'method',
  'kind',
  'since',
  'until',
  'limit',
  'follow',
]);

/** @throws RangeError that names the parameter and what was expected */
export function queryOf(parameters: URLSearchParams): LogQuery {
  for (const name of parameters.keys())
    if (!KNOWN.has(name)) throw new RangeError(`${name}: unknown; choose of ${[...KNOWN].join(', ')}`);
  const value = (name: string): string | undefined => parameters.get(name) ?? undefined;
  const [kind, path, method] = [value('kind'), value('path'), value('method')];
  if (kind !== undefined && kind !== 'http' && kind !== 'tcp')
    throw new RangeError(`kind: expected http or tcp, found ${kind}`);
  const status = parameters.getAll('status').flatMap((each) => each.split(','));
  return {
    ...workload('workload', value('workload')),
    ...workload('source', value('source')),
    ...workload('destination', value('destination')),
    ...(status.length > 0 && { status: status.map(range) }),
    ...(path !== undefined && { path: path.endsWith('*') ? { prefix: path.slice(0, -1) } : { exact: path } }),
    ...(method !== undefined && { method }),
    ...(kind !== undefined && { kind }),
    ...time('since', value('since')),
    ...time('until', value('until')),
  };
}

/** `NAME`, `NAMESPACE/NAME` or `CLUSTER/NAMESPACE/NAME`. */
function workload(
  part: 'workload' | 'source' | 'destination',
  text: string | undefined,
): Partial<Record<typeof part, WorkloadQuery>> {
  if (text === undefined) return {};
  const [name, namespace, cluster, ...more] = text.split('/').reverse();
  if (name === undefined || name === '' || more.length > 0)
    throw new RangeError(`${part}: expected NAME, NAMESPACE/NAME or CLUSTER/NAMESPACE/NAME, found ${text}`);
  return { [part]: { name, ...(namespace !== undefined && { namespace }), ...(cluster !== undefined && { cluster }) } };
}

/** `503`, `5xx` or `400-499`. */
function range(text: string): readonly [number, number] {
  const hundred = /^([0-9])xx$/i.exec(text)?.[1];
  if (hundred !== undefined) return [Number(hundred) * 100, Number(hundred) * 100 + 99];
  const [, from, to = from] = /^(\d{1,3})(?:-(\d{1,3}))?$/.exec(text) ?? [];
  if (from === undefined) throw new RangeError(`status: expected 503, 5xx or 400-499, found ${text}`);
  return [Number(from), Number(to)];
}

function time(part: 'since' | 'until', text: string | undefined): Partial<Record<typeof part, number>> {
  if (text === undefined) return {};
  const milliseconds = Date.parse(text);
  if (Number.isNaN(milliseconds))
    throw new RangeError(`${part}: expected a time such as 2026-01-31T12:00:00Z, found ${text}`);
  return { [part]: milliseconds };
}
