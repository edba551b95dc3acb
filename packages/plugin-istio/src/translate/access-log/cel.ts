/** Which entries a proxy writes, as Istio wants it said: an expression of CEL. */
import type { AccessLogFilterView, AccessLogRuleView, NamedValueMatch } from '@meshrelay/relay-core';

/** Istio gives every logger to every listener: what tells an exchange of HTTP from a connection is that it has a method. */
const IS_REQUEST = 'has(request.method)';
const OPERATORS = { EQ: '==', GE: '>=', LE: '<=' } as const;

/** For the logger of requests: those that any rule asks for. */
export function requestExpression(rules: readonly AccessLogRuleView[]): string {
  if (rules.some(({ filters }) => filters.length === 0)) return IS_REQUEST;
  const any = [...new Set(rules.flatMap(({ filters }) => filters.map(expressionOf)))].sort();
  return `${IS_REQUEST} && (${any.join(' || ')})`;
}

/** For the logger of connections. */
export const CONNECTION_EXPRESSION: string = `!${IS_REQUEST}`;

/** Of a connection there is no status, and no header: it is met by what asks for everything, and by what asks for the lack of a header. */
export function asksForConnections(rules: readonly AccessLogRuleView[]): boolean {
  return rules.some(
    ({ filters }) => filters.length === 0 || filters.some((filter) => 'header' in filter && filter.header.invert),
  );
}

function expressionOf(filter: AccessLogFilterView): string {
  if ('header' in filter) return headerExpression(filter.header);
  const { value, comparator } = filter.status;
  // Without a response there is no code, which counts as 0.
  return `(has(response.code) ? response.code : 0) ${OPERATORS[comparator]} ${value}`;
}

/** A header that is not there has no value that could be compared. */
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
