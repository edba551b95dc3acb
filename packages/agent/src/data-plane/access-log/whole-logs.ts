/** Counting from access logs where all of a workload's entries are sent: of a log that is filtered at the proxy, shares and rates would be those of what is left. */
import type { CompiledRules, LogObserver, Reporter } from '@meshrelay/access-log-sink';

/** The observer, told of entries of whole logs only. */
export function ofWholeLogs(observer: LogObserver, rulesFor: (reporter: Reporter) => CompiledRules): LogObserver {
  return {
    needs: observer.needs,
    observe(fields, reporter) {
      if (rulesFor(reporter).always !== undefined) observer.observe(fields, reporter);
    },
  };
}
