/** I7: the inputs that a cluster's outputs are made of never go back, component by component. */
import { nameOf, type Write } from './history.ts';

interface Version {
  readonly term: number;
  readonly seq: number;
}

/** Places where an OutputLedger's vector went back. */
export function vectorsGoingBack(writes: readonly Write[]): string[] {
  return writes.flatMap((write) => {
    if (write.resource !== 'outputledgers' || write.type !== 'MODIFIED' || write.previous === undefined) return [];
    const before = vectorOf(write.previous);
    const after = vectorOf(write.object);
    return [...before].flatMap(([input, was]) => {
      const is = after.get(input);
      const back = is === undefined || is.term < was.term || (is.term === was.term && is.seq < was.seq);
      return back ? [`${nameOf(write)}: input ${input} went from ${text(was)} to ${text(is)}`] : [];
    });
  });
}

/** Inputs that are gone are none. */
function vectorOf(object: Write['object']): Map<string, Version> {
  const { inputVector = {} } = (object['spec'] ?? {}) as { readonly inputVector?: Readonly<Record<string, string>> };
  return new Map(
    Object.entries(inputVector).flatMap(([input, version]) => {
      const [, term, seq] = /^(\d+)\/(\d+)$/.exec(version) ?? [];
      return term === undefined || seq === undefined ? [] : [[input, { term: Number(term), seq: Number(seq) }]];
    }),
  );
}

function text(version: Version | undefined): string {
  return version === undefined ? 'nothing' : `${version.term}/${version.seq}`;
}
