/** The last writes of a simulator, for its admin endpoint. */
import type { WriteRecord } from '../audit/write-history.ts';

/** Old entries are removed in larger steps, so that adding one stays cheap. */
const MAX_RECORDED_WRITES = 20_000;

export interface RecordedWrites {
  readonly writes: () => readonly WriteRecord[];
  readonly recordWrite: (record: WriteRecord) => void;
}

/** Stores at least the last 10,000. */
export function keepWrites(): RecordedWrites {
  let retained: WriteRecord[] = [];
  return {
    writes: () => retained,
    recordWrite(record) {
      retained.push(record);
      if (retained.length >= MAX_RECORDED_WRITES) retained = retained.slice(MAX_RECORDED_WRITES / 2);
    },
  };
}
