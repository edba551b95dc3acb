/** Fields of the traffic kinds that no scenario sets. */
import { unshownBy } from '@meshrelay/plugin-kit';
import { allScenarios } from './scenario.ts';

const KINDS = ['TrafficPolicy', 'AccessPolicy', 'VirtualMesh', 'VirtualDestination'];
/** Golden cases cover lists by their length. */
const LENGTH = / of (0|1|several)$/;

/**
 * Every field of their specs, and every value of an enum, that is in no scenario: `TrafficPolicy spec.policy.mtls`,
 * `AccessPolicy spec.action = AUDIT`.
 */
export function fieldsWithoutScenario(): string[] {
  const fleets = allScenarios().map(({ fleet }) => fleet);
  return unshownBy(fleets, KINDS).filter((line) => !LENGTH.test(line));
}
