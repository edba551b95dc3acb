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
      message: `perTryTimeout is ${perTryTimeout} and requestTimeout is ${requestTimeout}, so the request times out before any try does; make perTryTimeout shorter than requestTimeout`,
    },
  ];
}
