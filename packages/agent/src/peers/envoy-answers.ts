/** Answers the leader with the ACK state of this replica's Envoys. */
import type { PeerAnswers } from '@meshrelay/peers';
import { RelayError } from '@meshrelay/relay-protocol';
import { type EnvoyAnswer, type EnvoyQuestion, readEnvoyQuestion } from '../data-plane/configuration/envoy-answers.ts';
import { ENVOYS } from './agent-peers.ts';

/** @param answer returns undefined while this replica does not know all objects */
export function envoyAnswers(answer: (question: EnvoyQuestion) => EnvoyAnswer | undefined): PeerAnswers {
  return {
    knows: (method) => method === ENVOYS,
    answer: (_method, given) => {
      const state = answer(readEnvoyQuestion(given));
      if (state === undefined)
        throw new RelayError('RELAY_E_UNAVAILABLE', 'this replica has not synced the configuration of Envoys yet');
      return once(state);
    },
  };
}

/** Combines the answers of several subjects. */
export function anyOf(...all: readonly PeerAnswers[]): PeerAnswers {
  return {
    knows: (method) => all.some((each) => each.knows(method)),
    answer: (method, given, signal) => {
      const one = all.find((each) => each.knows(method));
      if (one === undefined) throw new TypeError(`no handler for ${method}`);
      return one.answer(method, given, signal);
    },
  };
}

async function* once<T>(value: T): AsyncGenerator<T> {
  yield value;
}
