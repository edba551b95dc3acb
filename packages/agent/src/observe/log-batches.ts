/** Splits entries into batches that the relay can transport. */
import { Buffer } from 'node:buffer';
import type { LogBatch, LoggedEntry } from '@meshrelay/relay-protocol';

/** Approximate bytes of one batch's entries: small, since some batches wait at each end. */
const BATCH = 64 * 1024;
/** An entry with larger JSON is counted as lost, because it would not be readable. */
const ENTRY = 96 * 1024;

/** At least one batch if `lost` is above 0; none if there is nothing to report. */
export function* logBatches(entries: Iterable<LoggedEntry>, lost = 0): Generator<LogBatch> {
  let batch: LoggedEntry[] = [];
  let [size, missing] = [0, lost];
  for (const entry of entries) {
    const length = Buffer.byteLength(JSON.stringify(entry));
    if (length > ENTRY) {
      missing++;
      continue;
    }
    if (size > 0 && size + length > BATCH) {
      yield batchOf(batch, missing);
      [batch, size, missing] = [[], 0, 0];
    }
    batch.push(entry);
    size += length;
  }
  if (batch.length > 0 || missing > 0) yield batchOf(batch, missing);
}

function batchOf(entries: readonly LoggedEntry[], lost: number): LogBatch {
  return lost > 0 ? { entries, lost } : { entries };
}
