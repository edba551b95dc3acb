/**
 * Counts from access logs only where a workload sends all its entries. If the proxy filters the log, shares and rates
 * would describe only the remaining entries.
 */
import type { CompiledRules, LogObserver, Reporter } from '@meshrelay/access-log-sink';

/** An observer that receives only entries of unfiltered logs. */
export function ofWholeLogs(observer: LogObserver, rulesFor: (reporter: Reporter) => CompiledRules): LogObserver {
  return {
    needs: observer.needs,
    observe(fields, reporter) {
      if (rulesFor(reporter).always !== undefined) observer.observe(fields, reporter);
    },
  };
}
