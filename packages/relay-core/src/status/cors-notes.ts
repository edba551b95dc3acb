/**
 * Effects of CORS settings that users seldom intend: proxies return the requesting origin, so "any origin" also works
 * with credentials.
 */
import type { Report, StringMatch, TrafficPolicy } from '@meshrelay/api';

/** Expressions for any text, alone or after a scheme. */
const ANY_EXPRESSION = /^(\^?)(https?\??:\/\/)?(\(\.[*+]\)|\.[*+])(\$?)$/;
const SCHEMES = ['https://', 'http://'];

/** Reported to a policy that lets browsers send cookies from any site. */
export function corsNotes({ spec }: TrafficPolicy): readonly Report[] {
  const { allowCredentials, allowOrigins = [] } = spec.policy?.corsPolicy ?? {};
  return allowCredentials === true && allowOrigins.some(isForAnyOrigin) ? [CORS_CREDENTIALS_WITH_ANY_ORIGIN] : [];
}

function isForAnyOrigin({ exact, prefix, regex }: StringMatch): boolean {
  if (prefix !== undefined) return SCHEMES.some((scheme) => scheme.startsWith(prefix));
  return exact === '*' || (regex !== undefined && ANY_EXPRESSION.test(regex));
}

const CORS_CREDENTIALS_WITH_ANY_ORIGIN: Report = {
  code: 'CORS_CREDENTIALS_WITH_ANY_ORIGIN',
  severity: 'warning',
  field: 'spec.policy.corsPolicy.allowOrigins',
  message:
    "any origin is allowed and allowCredentials is true, so every site that a user visits can send requests with the user's cookies and read the responses; list the origins, or remove allowCredentials",
};
