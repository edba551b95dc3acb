/** Istio's translation of every field of `spec` of an AccessPolicy. */
import { type AccessFieldName, type AccessRuleView, type CapabilityRows, rowsOf } from '@meshrelay/plugin';
import { present } from '../../present.ts';
import type { ReportSink } from '../reported.ts';
import { action } from './action.ts';
import { allowedMethods } from './allowed-methods.ts';
import { allowedPaths } from './allowed-paths.ts';
import { allowedPorts } from './allowed-ports.ts';
import type { AccessField } from './field.ts';
import { notMethods } from './not-methods.ts';
import { notPaths } from './not-paths.ts';
import { notPorts } from './not-ports.ts';
import { sourceSelector } from './source-selector.ts';
import type { TrustDomains } from './trust-domains.ts';
import { unauthenticated } from './unauthenticated.ts';

/** One file per field; a field of the API that is missing here is a compile error. */
const ACCESS_FIELDS: { readonly [F in AccessFieldName]: AccessField<F> } = {
  action,
  sourceSelector,
  unauthenticated,
  allowedPaths,
  allowedMethods,
  allowedPorts,
  notPaths,
  notMethods,
  notPorts,
};

export const ACCESS_CAPABILITIES: CapabilityRows<'access'> = rowsOf(ACCESS_FIELDS);

const FIELDS = Object.values(ACCESS_FIELDS);

/** A rule of an AuthorizationPolicy. */
export function authorizationRule(rule: AccessRuleView, trust: TrustDomains): Record<string, unknown> {
  const operation: Record<string, unknown> = present(
    Object.assign({}, ...FIELDS.map((field) => field.operation?.(rule))),
  );
  const to = Object.keys(operation).length === 0 ? {} : { to: [{ operation }] };
  return present(Object.assign({}, ...FIELDS.map((field) => field.rule?.(rule, trust)), to));
}

/**
 * The part of the rule that Istio can express; undefined if no part may be written. Reports the missing part to the
 * rule's policies.
 */
export function expressiblePart(rule: AccessRuleView, report: ReportSink): AccessRuleView | undefined {
  const parts = FIELDS.flatMap((field) => field.expressible?.(rule, report) ?? []);
  if (parts.length === 0) return rule;
  return parts.includes('nothing') ? undefined : Object.assign({}, rule, ...parts);
}
