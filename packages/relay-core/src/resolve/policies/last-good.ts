/** The effective spec of a policy: as written, or else as last accepted. */
import {
  apiVersionOf,
  definitionOf,
  type LedgerPolicy,
  type Policy,
  type Report,
  validateObject,
} from '@meshrelay/api';
import type { ObservedPolicy } from './observed-policies.ts';

/**
 * Whether a decision is about this policy object, and not about an earlier one of the same name. Policies from files
 * have no uid to compare.
 */
export function isAbout({ uid: decided }: LedgerPolicy, { uid }: Pick<ObservedPolicy, 'uid'>): boolean {
  return decided === undefined || uid === undefined || decided === uid;
}

/** The effective policy; undefined if it has faults and no accepted earlier version is still valid. */
export function effectivePolicy(reported: ObservedPolicy, decision: LedgerPolicy | undefined): Policy | undefined {
  if (reported.faults.length === 0) return reported.object;
  if (decision?.lastAcceptedSpec === undefined) return undefined;
  const { kind, namespace, name } = reported.ref;
  const generation = decision.lastAcceptedGeneration;
  const object = {
    apiVersion: apiVersionOf(definitionOf(kind as Policy['kind'])),
    kind,
    metadata: {
      name,
      namespace,
      ...(reported.uid === undefined ? {} : { uid: reported.uid }),
      ...(generation === undefined ? {} : { generation }),
    },
    spec: decision.lastAcceptedSpec,
  } as unknown as Policy;
  // The rules may be stricter now than when it was accepted.
  return validateObject(object).length === 0 ? object : undefined;
}

/** Reports that the spec as written is not effective. */
export function lastGoodReport({ metadata: { generation } }: Policy): Report {
  const which = generation === undefined ? 'the last accepted spec' : `the spec of generation ${generation}`;
  return {
    code: 'USING_LAST_KNOWN_GOOD',
    severity: 'warning',
    field: 'spec',
    message: `${which} stays applied, because this spec is invalid: fix it, or delete the policy to stop its effect`,
  };
}
