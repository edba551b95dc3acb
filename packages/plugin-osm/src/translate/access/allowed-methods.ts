/** Methods: HTTPRouteGroups name them. */
import type { AccessRows, AccessRuleView, Output } from '@meshrelay/plugin';
import { fallShort } from '../../reports.ts';

export const ALLOWED_METHODS: AccessRows<'allowedMethods'> = { 'access.methods': 'native' };

/** The methods that an HTTPRouteGroup supports. */
export const METHODS: ReadonlySet<string> = new Set([
  'GET',
  'HEAD',
  'PUT',
  'POST',
  'DELETE',
  'CONNECT',
  'OPTIONS',
  'TRACE',
  'PATCH',
]);

/** Reports the others to the policies of the rule. */
export function reportMethods({ methods, from }: AccessRuleView, out: Output): void {
  const unknown = methods.filter((method) => !METHODS.has(method));
  if (unknown.length === 0) return;
  fallShort(out, from, {
    code: 'UNSUPPORTED',
    field: 'spec.allowedMethods',
    message: `HTTPRouteGroups do not support the methods ${unknown.join(', ')}, so these requests are not allowed`,
  });
}
