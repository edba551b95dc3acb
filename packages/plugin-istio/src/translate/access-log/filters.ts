/** Which entries a proxy writes to the access log, as a CEL expression for Istio. */
import type { AccessLogFilterView, AccessLogRuleView, NamedValueMatch } from '@meshrelay/plugin';
import type { AccessLogField } from './field.ts';

/** The agent filters again, by the same headers. */
export const filters: AccessLogField<'filters'> = {
  capabilities: { 'accessLog.filters.status': 'native', 'accessLog.filters.header': 'native' },
  namesToLog: (rule) => ({
    additionalRequestHeadersToLog: rule.filters.flatMap((filter) =>
      'header' in filter && !filter.header.name.startsWith(':') ? [filter.header.name] : [],
    ),
  }),
};

/**
 * Istio attaches every logger to every listener. Only HTTP exchanges have a method, which distinguishes them from
 * connections.
 */
const IS_REQUEST = 'has(request.method)';
const OPERATORS = { EQ: '==', GE: '>=', LE: '<=' } as const;

/** For the logger of requests: matches the requests of any rule. */
export function requestExpression(rules: readonly AccessLogRuleView[]): string {
  if (rules.some((rule) => rule.filters.length === 0)) return IS_REQUEST;
  const any = [...new Set(rules.flatMap((rule) => rule.filters.map(expressionOf)))].sort();
  return `${IS_REQUEST} && (${any.join(' || ')})`;
}

/** For the logger of connections. */
export const CONNECTION_EXPRESSION: string = `!${IS_REQUEST}`;

/**
 * A connection has no status and no headers. It matches rules without conditions, and rules that require a header to be
 * absent.
 */
export function logsConnections(rules: readonly AccessLogRuleView[]): boolean {
  return rules.some(
    (rule) => rule.filters.length === 0 || rule.filters.some((filter) => 'header' in filter && filter.header.invert),
  );
}

function expressionOf(filter: AccessLogFilterView): string {
  if ('header' in filter) return headerExpression(filter.header);
  const { value, comparator } = filter.status;
  // Without a response the code is missing; the comparison uses 0.
  return `(has(response.code) ? response.code : 0) ${OPERATORS[comparator]} ${value}`;
}

/** An absent header has no value to compare. */
function headerExpression({ name, value, regex, invert }: NamedValueMatch): string {
  const header = JSON.stringify(name);
  const present = `${header} in request.headers`;
  const actual = `request.headers[${header}]`;
  const fits =
    value === undefined
      ? present
      : `${present} && ${regex ? `${actual}.matches(${JSON.stringify(`^(?:${value})$`)})` : `${actual} == ${JSON.stringify(value)}`}`;
  return invert ? `!(${fits})` : `(${fits})`;
}
