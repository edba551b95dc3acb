/** AuthorizationPolicies of a destination: one for each action in its rules. */
import {
  type AccessRuleView,
  type DestinationView,
  type MeshFacts,
  memoize,
  memoizeUntilCompaction,
  type Output,
  type PolicyRef,
} from '@meshrelay/plugin';
import { AUTHORIZATION_POLICY, istioObject } from '../../kinds.ts';
import { localName } from '../../names.ts';
import type { Reported, ReportSink } from '../reported.ts';
import { OBJECTS } from './action.ts';
import { authorizationRule, expressiblePart } from './mod.ts';
import { isForSomeone } from './source-selector.ts';
import { type TrustDomains, trustDomainsOf } from './trust-domains.ts';

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
    const { nameEnding, annotations, ...written } = OBJECTS[action];
    const name = `${localName(destination)}${nameEnding}`;
    const object = istioObject(AUTHORIZATION_POLICY, destination.namespace, name, {
      selector: { matchLabels: destination.workloadSelector },
      ...written,
      rules,
    });
    out.emit(
      destination.cluster,
      annotations === undefined ? object : { ...object, metadata: { ...object.metadata, annotations } },
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
      const writable = rules.filter(isForSomeone).flatMap((rule) => expressiblePart(rule, report) ?? []);
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

function byAction(rules: readonly AccessRuleView[]): Map<AccessRuleView['action'], AccessRuleView[]> {
  const result = new Map<AccessRuleView['action'], AccessRuleView[]>();
  for (const rule of rules) result.set(rule.action, [...(result.get(rule.action) ?? []), rule]);
  return result;
}

const ruleOf = memoizeUntilCompaction((rule: AccessRuleView) =>
  memoize((trust: TrustDomains): Record<string, unknown> => authorizationRule(rule, trust)),
);
