/** Every field of `spec` of an AccessPolicy, as core sees it. */
import type { AccessFieldName, AccessPolicySpec, Report } from '@meshrelay/api';
import { memoizeUntilCompaction } from '@meshrelay/plugin';
import type { AccessCapability, AccessRuleParts } from '@meshrelay/plugin/host';
import { addRequirements, capabilityPaths, type Requirements } from '../table.ts';
import { action } from './action.ts';
import { allowedMethods } from './allowed-methods.ts';
import { allowedPaths } from './allowed-paths.ts';
import { allowedPorts } from './allowed-ports.ts';
import type { AccessContext, AccessField } from './field.ts';
import { notMethods } from './not-methods.ts';
import { notPaths } from './not-paths.ts';
import { notPorts } from './not-ports.ts';
import type { Remaining } from './remaining.ts';
import { sourceSelector } from './source-selector.ts';
import { unauthenticated } from './unauthenticated.ts';

/** One file for each; an API field that is missing here is a compile error. The order is that of reports. */
const ACCESS_FIELD_VIEWS: { readonly [F in AccessFieldName]: AccessField<F> } = {
  action,
  sourceSelector,
  allowedPaths,
  allowedMethods,
  allowedPorts,
  notPaths,
  notMethods,
  notPorts,
  unauthenticated,
};

/** Each capability with the path in the policy that reports name. */
export const ACCESS_CAPABILITIES: Readonly<Record<AccessCapability, string>> = capabilityPaths(ACCESS_FIELD_VIEWS);

/** Any one of them. */
interface AnyAccessField extends Pick<AccessField<AccessFieldName>, 'namesMeshes'> {
  readonly capabilities: Readonly<Record<string, string>>;
  readonly closed: Partial<AccessRuleParts>;
  view(
    spec: AccessPolicySpec,
    context: AccessContext,
    report: (report: Report) => void,
  ): Partial<AccessRuleParts> | undefined;
  requires(rule: AccessRuleParts): readonly AccessCapability[];
  remaining(allow: AccessRuleParts, deny: AccessRuleParts): Remaining<Partial<AccessRuleParts>>;
  readsRequests?(rule: AccessRuleParts): boolean;
  appliesToPort?(rule: AccessRuleParts, port: number): boolean;
}

const FIELDS: readonly AnyAccessField[] = Object.values(ACCESS_FIELD_VIEWS);

/** An ALLOW without callers: it keeps a destination closed. */
export const CLOSED_RULE: AccessRuleParts = Object.assign({}, ...FIELDS.map(({ closed }) => closed));

/** The rule of a policy, and the reports on it. */
export function accessRuleOf(
  spec: AccessPolicySpec,
  context: AccessContext,
): { readonly rule: AccessRuleParts; readonly reports: readonly Report[] } {
  const reports: Report[] = [];
  const parts = FIELDS.map((field) => field.view(spec, context, (report) => reports.push(report)));
  return { rule: Object.assign({}, ...parts), reports };
}

/** Whether the rule of the policy depends on meshes other than through `AccessContext.domains`. */
export function namesMeshes(spec: AccessPolicySpec): boolean {
  return FIELDS.some((field) => field.namesMeshes?.(spec) === true);
}

/** What a rule needs. Core drops an unsupported rule as a whole: in part it would admit or deny other requests too. */
export const accessRequirements: (rule: AccessRuleParts) => Requirements<AccessCapability> = memoizeUntilCompaction(
  (rule) => {
    const requirements = {};
    for (const field of FIELDS) addRequirements(requirements, field, field.requires(rule));
    return requirements;
  },
);

/** What a DENY leaves of the requests of an ALLOW, for callers of both. */
export function remainingRequests(allow: AccessRuleParts, deny: AccessRuleParts): Remaining<Partial<AccessRuleParts>> {
  const each = FIELDS.map((field) => field.remaining(allow, deny));
  if (each.includes('all')) return 'all';
  if (each.includes('inexpressible')) return 'inexpressible';
  const [part, ...others] = each.filter((one) => typeof one === 'object');
  if (part === undefined) return 'none';
  // A rule can limit its requests by one field; the remainder of two fields is a union of rules.
  return others.length === 0 ? part : 'inexpressible';
}

/** Whether the rule has conditions on HTTP requests, which proxies can read on HTTP ports only. */
export function readsRequests(rule: AccessRuleParts): boolean {
  return FIELDS.some((field) => field.readsRequests?.(rule) === true);
}

/** Whether the rule applies to requests to a port of the pods. */
export function appliesToPort(rule: AccessRuleParts, port: number): boolean {
  return FIELDS.every((field) => field.appliesToPort?.(rule, port) !== false);
}
