/** Fencing at the API server: an admission policy that rejects writes of a former leader among a cluster's agents. */
import type { KubeObject } from '@meshrelay/api';
import type { ResourceKind } from '@meshrelay/plugin';
import { OWNER_LABEL, TERM_ANNOTATION } from '../input/managed-labels.ts';
import { admissionRules } from './admission-rules.ts';

export interface FencePolicyOptions {
  /** The kinds that agents write: the policy checks only objects of these kinds with the owner label. */
  readonly kinds: readonly ResourceKind[];
  /** The namespace of the agent and of its OutputLedger. */
  readonly namespace: string;
}

/** The name of the policy and of its binding. */
export const FENCE_POLICY = 'meshrelay-fence';

const API_VERSION = 'admissionregistration.k8s.io/v1';
/** The format that agents read: any other value counts as no term. */
const IS_TERM = "matches('^[0-9]{1,15}$')";
const termIn = (object: string): string =>
  `has(${object}.metadata.annotations) && '${TERM_ANNOTATION}' in ${object}.metadata.annotations ? ${object}.metadata.annotations['${TERM_ANNOTATION}'] : ''`;

/**
 * A ValidatingAdmissionPolicy and its binding (Kubernetes 1.30 or later). It rejects a write that sets a term below the
 * one in the OutputLedger, or below the one on the object. It admits writes that leave the term unchanged, since other
 * users may edit. Without an OutputLedger it admits everything.
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
            messageExpression: `'this write is of term ' + variables.term + ', and term ' + string(params.spec.term) + ' has begun: another replica of the agent leads'`,
            reason: 'Forbidden',
          },
          {
            expression: `!variables.sets || !variables.before.${IS_TERM} || int(variables.term) >= int(variables.before)`,
            messageExpression: `'this write is of term ' + variables.term + ', and the last write of the object was of term ' + variables.before`,
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
