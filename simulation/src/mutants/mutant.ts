/** A design bug that a simulation must catch. */
import type { SourceMutant } from '@meshrelay/testing/source-mutant';

export interface Mutant extends SourceMutant {
  /** The lesson that the mutant ignores, in a sentence. */
  readonly forgets: string;
  /** The storms that expose it. */
  readonly storms: readonly string[];
}
