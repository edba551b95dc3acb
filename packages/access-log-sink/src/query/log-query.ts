/** Queries of the access log. */
import type { Reporter, WorkloadRef } from '../attribution/reporter.ts';
import { type AccessLogEntry, RELATION_FIELDS } from '../entry/access-log-entry.ts';
import type { FieldName } from '../entry/access-log-fields.ts';

/** A workload by its given parts; omitted parts match anything. */
export type WorkloadQuery = Partial<WorkloadRef>;

/** All given parts must match. Plain data, so it can be sent. */
export interface LogQuery {
  /** Workload whose proxy reported the entry. */
  readonly workload?: WorkloadQuery;
  readonly source?: WorkloadQuery;
  readonly destination?: WorkloadQuery;
  readonly kind?: 'http' | 'tcp';
  /** Inclusive ranges, at least one of which must contain the status: `[[500, 599]]`. */
  readonly status?: ReadonlyArray<readonly [from: number, to: number]>;
  /** The path without its query equals `exact`, or begins with `prefix`. */
  readonly path?: { readonly exact: string } | { readonly prefix: string };
  readonly method?: string;
  /** Start of the entry in milliseconds since 1970, inclusive. */
  readonly since?: number;
  /** Exclusive. */
  readonly until?: number;
  /** Also entries that a later one repeats with larger numbers. */
  readonly intermediate?: boolean;
}

/** A compiled query. */
export interface CompiledQuery {
  /** The fields that `matches` reads. */
  readonly needs: readonly FieldName[];
  /** Whether any entry of this reporter and kind may match; checked before anything is decoded. */
  mayMatch(reporter: Reporter): boolean;
  readonly kind: 'http' | 'tcp' | undefined;
  matches(entry: AccessLogEntry): boolean;
}

type Test = (entry: AccessLogEntry) => boolean;

export function compileQuery(query: LogQuery): CompiledQuery {
  const { workload, source, destination, status, path, method, since, until, kind, intermediate = false } = query;
  const needs = new Set<FieldName>();
  const tests: Test[] = [];
  const test = (fields: readonly FieldName[], matches: Test): void => {
    for (const field of fields) needs.add(field);
    tests.push(matches);
  };
  if (!intermediate) test(['intermediate'], ({ fields }) => fields.intermediate !== true);
  if (status !== undefined) test(['status'], ({ fields }) => status.some((range) => within(fields.status, range)));
  if (method !== undefined) test(['method'], ({ fields }) => fields.method === method);
  if (path !== undefined) test(['path'], ({ fields }) => fields.path !== undefined && pathMatches(fields.path, path));
  if (since !== undefined) test(['startTime'], ({ fields }) => (fields.startTime ?? 0) >= since);
  if (until !== undefined) test(['startTime'], ({ fields }) => (fields.startTime ?? 0) < until);
  if (source !== undefined) test(RELATION_FIELDS, (entry) => isWorkload(entry.source, source));
  if (destination !== undefined) test(RELATION_FIELDS, (entry) => isWorkload(entry.destination, destination));
  return {
    needs: [...needs],
    kind,
    mayMatch: (reporter) => workload === undefined || isWorkload(reporter.workload, workload),
    matches: (entry) => tests.every((each) => each(entry)),
  };
}

function isWorkload(workload: WorkloadRef | undefined, { name, namespace, cluster }: WorkloadQuery): boolean {
  if (workload === undefined) return false;
  return (
    (name === undefined || name === workload.name) &&
    (namespace === undefined || namespace === workload.namespace) &&
    (cluster === undefined || cluster === workload.cluster)
  );
}

function within(status: number | undefined, [from, to]: readonly [number, number]): boolean {
  return status !== undefined && status >= from && status <= to;
}

function pathMatches(path: string, requested: { readonly exact: string } | { readonly prefix: string }): boolean {
  if ('prefix' in requested) return path.startsWith(requested.prefix);
  const end = path.indexOf('?');
  return (end < 0 ? path : path.slice(0, end)) === requested.exact;
}
