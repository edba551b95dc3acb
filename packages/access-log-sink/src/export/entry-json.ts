/** An entry as a line of JSON, for files and people. */
import type { WorkloadRef } from '../attribution/reporter.ts';
import type { AccessLogEntry } from '../entry/access-log-entry.ts';

/**
 * Plain data: `time` (ISO 8601), then the workloads, then Envoy's fields under this package's names; absent fields are
 * omitted. Sizes are bytes, durations milliseconds.
 */
export function entryJson({
  reporter,
  direction,
  source,
  destination,
  fields,
}: AccessLogEntry): Readonly<Record<string, unknown>> {
  const { startTime, ...rest } = fields;
  return {
    time: startTime === undefined ? undefined : isoTime(startTime),
    cluster: reporter.cluster,
    workload: named(reporter.workload),
    direction,
    source: named(source),
    destination: named(destination),
    address: reporter.address,
    unverifiedNode: reporter.node,
    logName: reporter.logName,
    ...rest,
  };
}

/** One line, without its line break. */
export function entryLine(entry: AccessLogEntry): string {
  return JSON.stringify(entryJson(entry));
}

/** A proxy may send any number; Date accepts only some. */
function isoTime(milliseconds: number): string | undefined {
  const date = new Date(milliseconds);
  return Number.isNaN(date.getTime()) ? undefined : date.toISOString();
}

function named(workload: WorkloadRef | undefined): Pick<WorkloadRef, 'name' | 'namespace' | 'cluster'> | undefined {
  return workload && { name: workload.name, namespace: workload.namespace, cluster: workload.cluster };
}
