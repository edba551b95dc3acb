/** The fence at the API server: an admission policy that refuses what a former leader of a cluster's agent still writes. */
import type { KubeObject } from '@meshrelay/api';
import type { ResourceKind } from '../input/resource-kind.ts';
import { admissionRules } from './admission-rules.ts';
import { OWNER_LABEL, TERM_ANNOTATION } from './ownership.ts';

export interface FencePolicyOptions {
  /** What agents write: the policy judges objects of these kinds with our owner label, and nothing else. */
  readonly kinds: readonly ResourceKind[];
  /** The agent's namespace, where its OutputLedger is. */
  readonly namespace: string;
}

/** Of the policy and of its binding. */
export const FENCE_POLICY = 'meshrelay-fence';

const API_VERSION = 'admissionregistration.k8s.io/v1';
/** As agents read it: anything else counts as no term. */
const IS_TERM = "matches('^[0-9]{1,15}$')";
const termIn = (object: string): string =>
  `has(${object}.metadata.annotations) && '${TERM_ANNOTATION}' in ${object}.metadata.annotations ? ${object}.metadata.annotations['${TERM_ANNOTATION}'] : ''`;

/**
 * A ValidatingAdmissionPolicy and its binding (Kubernetes 1.30 or later). A write that sets a term below the one in the OutputLedger, or below the one on the
 * object, is refused. One that leaves the term alone is not: others may edit. Where there is no ledger, everything passes.
 */
export function fencePolicy({ kinds, namespace }: FencePolicyOptions): readonly KubeObject[] {
  return [
    {
      apiVersion: API_VERSION,
      kind: 'ValidatingAdmissionPolicy',
      metadata: { name: FENCE_POLICY },
      spec: {
        failurePolicy: 'Fail',
        paramKind: { apiVersion: 'admin.meshrelay.dev/v1alpha1', kind: 'OutputLedger' },
        matchConstraints: {
          resourceRules: admissionRules(kinds, ['CREATE', 'UPDATE']),
          objectSelector: { matchExpressions: [{ key: OWNER_LABEL, operator: 'Exists' }] },
        },
        variables: [
          { name: 'term', expression: termIn('object') },
          { name: 'before', expression: `request.operation != 'UPDATE' ? '' : ${termIn('oldObject')}` },
          { name: 'sets', expression: `variables.term != variables.before && variables.term.${IS_TERM}` },
        ],
        validations: [
          {
            expression: '!variables.sets || int(variables.term) >= params.spec.term',
            messageExpression: `'this is written in term ' + variables.term + ', and term ' + string(params.spec.term) + ' has begun: another replica of the agent leads'`,
            reason: 'Forbidden',
          },
          {
            expression: `!variables.sets || !variables.before.${IS_TERM} || int(variables.term) >= int(variables.before)`,
            messageExpression: `'this is written in term ' + variables.term + ', and the object was written in term ' + variables.before`,
            reason: 'Forbidden',
          },
        ],
      },
    },
    {
      apiVersion: API_VERSION,
      kind: 'ValidatingAdmissionPolicyBinding',
      metadata: { name: FENCE_POLICY },
      spec: {
        policyName: FENCE_POLICY,
        validationActions: ['Deny'],
        paramRef: { name: 'agent', namespace, parameterNotFoundAction: 'Allow' },
      },
    },
  ];
}
