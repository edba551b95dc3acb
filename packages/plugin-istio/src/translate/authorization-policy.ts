/**
 * AuthorizationPolicies of a destination: one for each action in its rules. AUDIT becomes an ALLOW in dry-run mode:
 * proxies log the requests that it would reject, and reject none of them. (Istio's own AUDIT action logs matching
 * requests, which is the opposite.)
 */
import type { PolicyRef } from '@meshrelay/api';
import {
  type AccessRuleView,
  type CapabilityRows,
  type DestinationView,
  type MeshFacts,
  memoize,
  memoizeUntilCompaction,
  type Output,
} from '@meshrelay/relay-core';
import { AUTHORIZATION_POLICY, istioObject } from '../kinds.ts';
import { localName } from '../names.ts';
import { present } from '../present.ts';
import { sourcesOf, type TrustDomains, trustDomainsOf } from './access-sources.ts';
import { withoutBraces } from './path-braces.ts';
import type { Reported, ReportSink } from './reported.ts';

/** The access rule fields that Istio supports. */
export const ACCESS_CAPABILITIES: CapabilityRows<'access'> = {
  'access.allow': 'native',
  'access.deny': 'native',
  'access.audit': 'native',
  'access.sources.namespaces': 'native',
  'access.sources.trustDomains': 'native',
  'access.paths': 'native',
  'access.methods': 'native',
  'access.ports': 'native',
  'access.exclusions': 'native',
  'access.unauthenticated': 'native',
};

const NAME_ENDINGS = { ALLOW: '', DENY: '.deny', AUDIT: '.audit' } as const;

export function authorizationPolicies({ destination, access, otherTrustDomains }: DestinationView, out: Output): void {
  if (access.length === 0) return;
  if (Object.keys(destination.workloadSelector).length === 0) {
    for (const policy of access.flatMap(({ from }) => from)) {
      out.report(policy, {
        code: 'UNSUPPORTED',
        severity: 'warning',
        field: 'spec.destinationSelector',
        message: `Service ${destination.namespace}/${destination.name} of cluster ${destination.cluster} has no pod selector, so no proxy can enforce the policy; add one or do not select it`,
      });
    }
    return;
  }
  const { policies, reported } = written(access)(trustOf(destination.mesh)(otherTrustDomains));
  for (const { policy, report } of reported) out.report(policy, report);
  for (const { action, rules, sourcePolicies } of policies) {
    const name = `${localName(destination)}${NAME_ENDINGS[action]}`;
    const object = istioObject(AUTHORIZATION_POLICY, destination.namespace, name, {
      selector: { matchLabels: destination.workloadSelector },
      action: action === 'AUDIT' ? 'ALLOW' : action,
      rules,
    });
    out.emit(
      destination.cluster,
      action === 'AUDIT' ? { ...object, metadata: { ...object.metadata, annotations: TRY_OUT } } : object,
      sourcePolicies,
    );
  }
}

/** The translation of the rules, independent of the destination. */
interface Written {
  readonly policies: ReadonlyArray<{
    readonly action: AccessRuleView['action'];
    readonly rules: ReadonlyArray<Record<string, unknown>>;
    readonly sourcePolicies: readonly PolicyRef[];
  }>;
  readonly reported: readonly Reported[];
}

/** The same object for all destinations of a mesh, and for all meshes that read every identity literally. */
const trustOf = memoizeUntilCompaction((mesh: MeshFacts) =>
  memoize((others: readonly string[]) => trustDomainsOf(mesh, others)),
);

/** Computed once for all destinations with the same rules and the same interpretation of trust domains. */
const written = memoizeUntilCompaction((access: readonly AccessRuleView[]) =>
  memoize((trust: TrustDomains): Written => {
    const reported: Reported[] = [];
    const report: ReportSink = (policy, report) => reported.push({ policy, report });
    const policies = [...byAction(access)].flatMap(([action, rules]) => {
      const writable = rules.filter(isForSomeone).flatMap((rule) => withoutBraces(rule, report) ?? []);
      // Without rules an ALLOW rejects all requests, as intended if no rule can be translated; a DENY would have no
      // effect.
      if (action === 'DENY' && writable.length === 0) return [];
      return [
        {
          action,
          rules: writable.map((rule) => ruleOf(rule)(trust)),
          sourcePolicies: rules.flatMap(({ from }) => from),
        },
      ];
    });
    return { policies, reported };
  }),
);

const TRY_OUT = { 'istio.io/dry-run': 'true' };

/** A source with an empty list would be written as an empty source, which Istio matches with all callers. */
function isForSomeone({ sources }: AccessRuleView): boolean {
  return sources.kind === 'anyone' || sources.principals.length > 0;
}

function byAction(rules: readonly AccessRuleView[]): Map<AccessRuleView['action'], AccessRuleView[]> {
  const result = new Map<AccessRuleView['action'], AccessRuleView[]>();
  for (const rule of rules) result.set(rule.action, [...(result.get(rule.action) ?? []), rule]);
  return result;
}

/** A rule without `from` matches all callers, as an empty source would, so no empty source is written. */
const ruleOf = memoizeUntilCompaction((rule: AccessRuleView) =>
  memoize((trust: TrustDomains): Record<string, unknown> => {
    const { sources } = rule;
    const operation = present({
      paths: rule.paths,
      methods: rule.methods,
      ports: rule.ports.map(String),
      notPaths: rule.notPaths,
      notMethods: rule.notMethods,
      notPorts: rule.notPorts.map(String),
    });
    return present({
      from: sources.kind === 'anyone' ? undefined : sourcesOf(sources.principals, trust).map((source) => ({ source })),
      to: Object.keys(operation).length === 0 ? undefined : [{ operation }],
    });
  }),
);
