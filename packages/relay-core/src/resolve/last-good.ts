/** What of a policy is in force: the spec as written, else the one that was accepted last. */
import {
  apiVersionOf,
  definitionOf,
  type LedgerPolicy,
  type Policy,
  type Report,
  validateObject,
} from '@meshrelay/api';
import type { ObservedPolicy } from './observed-policies.ts';

/** Whether a decision is about this very policy, and not about an earlier one of the same name. Files have no uid to tell by. */
export function isAbout({ uid: decided }: LedgerPolicy, { uid }: Pick<ObservedPolicy, 'uid'>): boolean {
  return decided === undefined || uid === undefined || decided === uid;
}

/** The policy as it is in force; undefined where it has faults and nothing of it was ever accepted that still may be. */
export function inForce(reported: ObservedPolicy, decision: LedgerPolicy | undefined): Policy | undefined {
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
  // Rules may be stricter than those it was accepted by.
  return validateObject(object).length === 0 ? object : undefined;
}

/** Says that not the spec as written is in force. */
export function lastGoodReport({ metadata: { generation } }: Policy): Report {
  const which = generation === undefined ? 'the spec that was accepted last' : `the spec of generation ${generation}`;
  return {
    code: 'LAST_GOOD_IN_FORCE',
    severity: 'warning',
    field: 'spec',
    message: `${which} stays in force, as this one cannot be: mend it, or delete the policy to end what it does`,
  };
}
