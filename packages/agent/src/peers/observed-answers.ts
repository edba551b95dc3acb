/** Answers the leader's queries, which have the format of the relay, for this replica alone. */
import type { PeerAnswers } from '@meshrelay/peers';
import type { Observer } from '../observe/observer.ts';
import { isObservedMethod, readQuestion } from '../observe/questions.ts';

export function observedAnswers(observer: Observer): PeerAnswers {
  return {
    knows: isObservedMethod,
    answer: (method, given, signal) => {
      if (!isObservedMethod(method)) throw new TypeError(`no handler for ${method}`);
      return observer.ask(method, readQuestion(method, given), signal);
    },
  };
}
