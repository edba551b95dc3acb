/** Conditions before a host adds their times. */
import type { Condition } from '@meshrelay/api';

/** A condition without its time: only a host with a clock and the previous status knows it. */
export type TimelessCondition = Omit<Condition, 'lastTransitionTime'>;
