/** What of the kinds that say what requests do no scenario sets. */
import { unshownBy } from '@meshrelay/plugin-kit';
import { allScenarios } from './scenario.ts';

const KINDS = ['TrafficPolicy', 'AccessPolicy', 'VirtualMesh', 'VirtualDestination'];
/** Lists by their length are for golden cases. */
const LENGTH = / of (0|1|several)$/;

/** Every field of their specs, and every value of an enum, that is in no scenario: `TrafficPolicy spec.policy.mtls`, `AccessPolicy spec.action = AUDIT`. */
export function fieldsWithoutScenario(): string[] {
  const fleets = allScenarios().map(({ fleet }) => fleet);
  return unshownBy(fleets, KINDS).filter((line) => !LENGTH.test(line));
}
