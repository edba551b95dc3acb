/** Options of a client's write. */

/** Options of one write. */
export interface WriteOptions {
  /** Do everything except storing. */
  readonly dryRun: boolean;
  /** The field manager of the written fields. */
  readonly fieldManager: string;
  /** Handling of unknown fields. */
  readonly fieldValidation: 'Strict' | 'Warn' | 'Ignore';
  /** Takes a sentence for the reply's Warning header. */
  readonly warn: (text: string) => void;
}

/** Options of writes by the simulator itself. */
export function internalWrite(fieldManager: string): WriteOptions {
  return { dryRun: false, fieldManager, fieldValidation: 'Ignore', warn: () => {} };
}
