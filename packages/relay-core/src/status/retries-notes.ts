/** The report about a timeout per try that never expires, since the timeout of the request expires first. */
import { parseGoDuration, type Report, type TrafficPolicy } from '@meshrelay/api';

export function retriesNotes({ spec }: TrafficPolicy): readonly Report[] {
  const { requestTimeout = '', retries: { perTryTimeout = '' } = {} } = spec.policy ?? {};
  const [whole, each] = [parseGoDuration(requestTimeout), parseGoDuration(perTryTimeout)];
  if (whole === undefined || each === undefined || each < whole) return [];
  return [
    {
      code: 'PER_TRY_TIMEOUT_INEFFECTIVE',
      severity: 'warning',
      field: 'spec.policy.retries.perTryTimeout',
      message: `a try may take ${perTryTimeout} and the request with all its tries ${requestTimeout} (requestTimeout), so none ends by its own time and is tried again; make it shorter than the requestTimeout`,
    },
  ];
}
