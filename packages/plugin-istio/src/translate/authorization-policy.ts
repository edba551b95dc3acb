/** AuthorizationPolicies: who may call a destination. One for each action that its rules have. */
import type { AccessRuleView, DestinationView, Output } from '@meshrelay/relay-core';
import { AUTHORIZATION_POLICY, istioObject } from '../kinds.ts';
import { localName } from '../names.ts';
import { present } from '../present.ts';

const NAME_ENDINGS = { ALLOW: '', DENY: '.deny', AUDIT: '.audit' } as const;

export function authorizationPolicies({ destination, access }: DestinationView, out: Output): void {
  if (access.length === 0) return;
  if (Object.keys(destination.workloadSelector).length === 0) {
    for (const policy of access.flatMap(({ from }) => from)) {
      out.report(policy, {
        code: 'UNSUPPORTED',
        severity: 'error',
        field: 'spec.destinationSelector',
        message: `Service ${destination.namespace}/${destination.name} of cluster ${destination.cluster} has no pod selector, so no proxy can be told to enforce the policy; give it one or do not select it`,
      });
    }
    return;
  }
  for (const [action, rules] of byAction(access)) {
    out.emit(
      destination.cluster,
      istioObject(AUTHORIZATION_POLICY, destination.namespace, `${localName(destination)}${NAME_ENDINGS[action]}`, {
        selector: { matchLabels: destination.workloadSelector },
        action,
        rules: rules.map(ruleOf),
      }),
      rules.flatMap(({ from }) => from),
    );
  }
}

function byAction(rules: readonly AccessRuleView[]): Map<AccessRuleView['action'], AccessRuleView[]> {
  const result = new Map<AccessRuleView['action'], AccessRuleView[]>();
  for (const rule of rules) result.set(rule.action, [...(result.get(rule.action) ?? []), rule]);
  return result;
}

/** A rule without `from` is for anyone; an empty source would be too, so none is ever written. */
function ruleOf(rule: AccessRuleView): Record<string, unknown> {
  const operation = present({
    paths: rule.paths,
    methods: rule.methods,
    ports: rule.ports.map(String),
    notPaths: rule.notPaths,
    notMethods: rule.notMethods,
    notPorts: rule.notPorts.map(String),
  });
  return present({
    from: rule.sources.kind === 'anyone' ? undefined : [{ source: { principals: rule.sources.principals } }],
    to: Object.keys(operation).length === 0 ? undefined : [{ operation }],
  });
}
