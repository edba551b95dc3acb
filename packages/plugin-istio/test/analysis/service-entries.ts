/** ServiceEntries that Istio cannot route, or that contradict each other. */
import { type Analysed, type Analyzer, ofKind, seenTogether, titleOf } from './objects.ts';

/** Reports TCP, or no protocol, without an address to distinguish hosts by. */
export const requiredAddresses: Analyzer = (objects) =>
  ofKind(objects, 'ServiceEntry')
    .filter(
      ({ spec, status }) =>
        (spec.addresses ?? status?.addresses ?? []).length === 0 &&
        (spec.ports ?? []).some(({ protocol = '' }: { protocol?: string }) =>
          ['', 'TCP'].includes(protocol.toUpperCase()),
        ),
    )
    .map((entry) => ({ message: 'ServiceEntryAddressesRequired', object: titleOf(entry) }));

/** Reports one host and port with two protocols, if one namespace sees both. */
export const conflictingProtocols: Analyzer = (objects) => {
  const entries = ofKind(objects, 'ServiceEntry');
  return entries
    .filter((one) => entries.some((other) => other !== one && seenTogether(one, other) && contradict(one, other)))
    .map((one) => ({ message: 'ConflictingServiceEntryProtocol', object: titleOf(one) }));
};

function contradict(a: Analysed, b: Analysed): boolean {
  return (
    a.spec.hosts.some((host: string) => b.spec.hosts.includes(host)) &&
    (a.spec.ports ?? []).some((port: Port) =>
      (b.spec.ports ?? []).some((other: Port) => other.number === port.number && other.protocol !== port.protocol),
    )
  );
}

interface Port {
  readonly number: number;
  readonly protocol?: string;
}
