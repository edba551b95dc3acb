/** What a row of the fault matrix permits. */
import type { Write } from './history.ts';

/** Effects of the row that permit more than the default. */
export interface Entitlement {
  /** Whether an output may be deleted: the row has removed its source. */
  readonly deletion: (write: Write) => boolean;
  /**
   * The row falsifies the election itself. Then only the raised term informs the older leader, and only once it
   * receives it. Its successor's term counts from the first output it writes, not from its beginning.
   */
  readonly electionLies?: boolean;
}
