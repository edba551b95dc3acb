/** Limits that RBAC cannot express: an admission policy that checks only the writes of one account. */
import type { KubeObject } from '@meshrelay/api';
import { OWNER_LABEL } from '../input/managed-labels.ts';
import { admissionRules } from '../output/mod.ts';
import type { Account } from './account-name.ts';
import { CLUSTER_NAMESPACES } from './names.ts';
import type { Rights } from './rights.ts';

type LimitedRights = Pick<Rights, 'creates' | 'writes'>;

const API_VERSION = 'admissionregistration.k8s.io/v1';

/** Names the object. */
const NOT_ITS =
  "request.resource.resource + ' ' + request.namespace + '/' + object.metadata.name + ' is not an object that this account may create'";

/**
 * A ValidatingAdmissionPolicy and its binding (Kubernetes 1.30 or later), both named after the account. It does not
 * depend on the namespaces of the permissions, so that permissions printed in several runs have the same policy.
 */
export function limitsPolicy(account: Account, rights: LimitedRights): readonly KubeObject[] {
  const { name, namespace } = account;
  return [
    {
      apiVersion: API_VERSION,
      kind: 'ValidatingAdmissionPolicy',
      metadata: { name },
      spec: {
        failurePolicy: 'Fail',
        matchConstraints: {
          resourceRules: [
            madeBy('', ['configmaps', 'secrets']),
            madeBy('coordination.k8s.io', ['leases']),
            ...admissionRules(rights.writes, ['CREATE', 'UPDATE', 'DELETE']),
          ],
        },
        matchConditions: [
          { name: 'account', expression: `request.userInfo.username == 'system:serviceaccount:${namespace}:${name}'` },
        ],
        variables: [
          { name: 'resource', expression: "request.resource.group + '/' + request.resource.resource" },
          // The existing object decides, since the author of a change can set any label.
          { name: 'subject', expression: "request.operation == 'CREATE' ? object : oldObject" },
        ],
        validations: rulesOf(account, rights),
      },
    },
    {
      apiVersion: API_VERSION,
      kind: 'ValidatingAdmissionPolicyBinding',
      metadata: { name },
      spec: { policyName: name, validationActions: ['Deny'] },
    },
  ];
}

function madeBy(group: string, resources: readonly string[]): object {
  return { apiGroups: [group], apiVersions: ['*'], operations: ['CREATE'], resources };
}

/** Objects created under Meshrelay's names, by resource. Outputs of plugins are checked as outputs. */
function limited({ creates, writes }: LimitedRights): ReadonlyMap<string, string> {
  const limits = new Map([
    ['/configmaps', isNamed(creates.configMaps)],
    ['coordination.k8s.io/leases', isNamed(creates.leases)],
  ]);
  for (const { group, plural } of writes) limits.delete(`${group}/${plural}`);
  return limits;
}

function rulesOf({ namespace }: Account, rights: LimitedRights): readonly object[] {
  const { own, otherClusters } = rights.creates.secrets;
  const isMadeHere = own === 'any' ? 'true' : isNamed(own);
  const limits = limited(rights);
  const names = [...limits].map(([resource, isAllowed]) =>
    rule(`variables.resource != '${resource}' || ${isAllowed}`, NOT_ITS),
  );
  const isOther = `variables.resource in ${JSON.stringify(['/secrets', ...limits.keys()])}`;
  return [
    rule(
      "variables.resource != '/secrets' || object.type == 'Opaque'",
      "'this account may only create Secrets of type Opaque, and this one is of type ' + object.type",
    ),
    rule(
      `variables.resource != '/secrets' || (request.namespace == '${namespace}' ? ${isMadeHere} : ${isNamed(otherClusters)})`,
      NOT_ITS,
    ),
    ...names,
    rule(
      `${isOther} || (has(variables.subject.metadata.labels) && '${OWNER_LABEL}' in variables.subject.metadata.labels)`,
      `'this account may only write objects with the label ${OWNER_LABEL}'`,
    ),
    rule(
      `${isOther} || !(request.namespace in ${JSON.stringify(CLUSTER_NAMESPACES)})`,
      "'this account may not write in namespace ' + request.namespace",
    ),
  ];
}

function isNamed(names: readonly string[]): string {
  return `object.metadata.name in ${JSON.stringify([...new Set(names)].sort())}`;
}

function rule(expression: string, messageExpression: string): object {
  return { expression, messageExpression, reason: 'Forbidden' };
}
