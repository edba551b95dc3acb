/** The kit's samples for one field of `spec` of an AccessPolicy. */
import type { AccessFieldName, AccessPolicySpec } from '@meshrelay/api';
import type { AccessCapabilitiesOf } from '@meshrelay/plugin';
import { access, type Probe } from '../probe.ts';

/** A field in its own file. */
export interface AccessFieldSamples<F extends AccessFieldName> {
  /** A probe for each capability. */
  readonly probes: Readonly<Record<AccessCapabilitiesOf<F>, Probe>>;
}

/**
 * An ALLOW without callers: the remainder of a rule that a mesh does not support. A mesh admits no caller by such a
 * rule: without a part, the rule would admit other callers too.
 */
const NO_READER = access({ sourceSelector: [{ kubeIdentityMatcher: { clusters: ['nowhere'] } }] });

/** A rule with these fields, compared with `without`. */
export function narrowed(spec: AccessPolicySpec, without: AccessPolicySpec = {}): Probe {
  return { asks: [access({ ...spec })], without: [access({ ...without })], refused: [NO_READER] };
}
