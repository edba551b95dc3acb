/** What a client asked for besides the object it writes. */

/** Options of one write. */
export interface WriteOptions {
  /** Do everything but store. */
  readonly dryRun: boolean;
  /** Who the written fields belong to in managedFields. */
  readonly fieldManager: string;
  /** What to do about fields the schema does not know. */
  readonly fieldValidation: 'Strict' | 'Warn' | 'Ignore';
  /** Takes a sentence for the reply's Warning header. */
  readonly warn: (text: string) => void;
}

/** Options of writes that come from the simulator itself. */
export function internalWrite(fieldManager: string): WriteOptions {
  return { dryRun: false, fieldManager, fieldValidation: 'Ignore', warn: () => {} };
}
