/** A virtual destination: its backends, and the endpoints that each calling mesh uses. */
import type { VirtualDestinationExplanation } from '@meshrelay/relay-core';
import { factsSection, indented, tableSection } from './sections.ts';
import { compact, meshText, targetText } from './words.ts';

export function virtualLines({
  hostname,
  port,
  address,
  members,
  visibleTo,
}: VirtualDestinationExplanation): readonly string[] {
  return [
    '',
    'Virtual destination',
    ...indented(
      factsSection([
        ['Host', `${hostname}:${port}`],
        ['Virtual IP', address ?? 'none yet'],
      ]),
    ),
    ...tableSection(
      'Backends, by priority',
      ['PRIORITY', 'DESTINATION', 'PORT'],
      members.map((member) => [String(member.priority), targetText(member.destination), String(member.port)]),
    ),
    ...visibleTo.flatMap(({ consumer, failover, outlierDetection, groups }) => [
      ...tableSection(
        `As seen from ${meshText(consumer)}`,
        ['PRIORITY', 'DESTINATION', 'VIA'],
        groups.map((group) => [
          String(group.priority),
          targetText(group.destination),
          group.local ? 'its pods' : group.addresses.join(', '),
        ]),
      ),
      `  failover ${compact(failover)}; ejected by ${compact(outlierDetection)}`,
    ]),
  ];
}
