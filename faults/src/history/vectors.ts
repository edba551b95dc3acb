/** I7: the inputs of a cluster's outputs never go back, component by component. */
import { nameOf, type Write } from './history.ts';

interface Version {
  readonly term: number;
  readonly seq: number;
}

/** Marks an input that deregistration, or suspension by an operator, has ended: it counts as newer than any version. */
const GONE = 'gone';

/** Places where an OutputLedger's vector went back. */
export function vectorsGoingBack(writes: readonly Write[]): string[] {
  return writes.flatMap((write) => {
    if (write.resource !== 'outputledgers' || write.type !== 'MODIFIED' || write.previous === undefined) return [];
    const before = vectorOf(write.previous);
    const after = vectorOf(write.object);
    return [...before].flatMap(([input, was]) => {
      const is = after.get(input);
      const back = isBehind(is, was);
      return back ? [`${nameOf(write)}: input ${input} went from ${text(was)} to ${text(is)}`] : [];
    });
  });
}

function vectorOf(object: Write['object']): Map<string, Version | typeof GONE> {
  const { inputVector = {} } = (object['spec'] ?? {}) as { readonly inputVector?: Readonly<Record<string, string>> };
  return new Map(
    Object.entries(inputVector).flatMap(([input, version]): Array<[string, Version | typeof GONE]> => {
      if (version === GONE) return [[input, GONE]];
      const [, term, seq] = /^(\d+)\/(\d+)$/.exec(version) ?? [];
      return term === undefined || seq === undefined ? [] : [[input, { term: Number(term), seq: Number(seq) }]];
    }),
  );
}

function isBehind(is: Version | typeof GONE | undefined, was: Version | typeof GONE): boolean {
  // An input that ended and exists again was registered again, or is no longer suspended.
  if (is === GONE || was === GONE) return false;
  return is === undefined || is.term < was.term || (is.term === was.term && is.seq < was.seq);
}

function text(version: Version | typeof GONE | undefined): string {
  if (version === undefined || version === GONE) return version ?? 'nothing';
  return `${version.term}/${version.seq}`;
}
