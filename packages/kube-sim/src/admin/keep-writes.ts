/** The last writes of a simulator, for its admin endpoint. */
import type { WriteRecord } from '../audit/write-history.ts';

/** Room is made in larger steps, so that keeping one more stays cheap. */
const MOST = 20_000;

export interface KeptWrites {
  readonly writes: () => readonly WriteRecord[];
  readonly recordWrite: (record: WriteRecord) => void;
}

/** Keeps at least the last 10,000. */
export function keepWrites(): KeptWrites {
  let kept: WriteRecord[] = [];
  return {
    writes: () => kept,
    recordWrite(record) {
      kept.push(record);
      if (kept.length >= MOST) kept = kept.slice(MOST / 2);
    },
  };
}
