/** Istio's own control plane as a program that answers questions: `go/istiod`. */
import { requestedProgram } from '../ask-program.ts';

const ask = await requestedProgram('istiod');

/** The answers to questions of one sort, in their order. */
export function callIstiod(sort: 'validate' | 'proxies', questions: readonly unknown[]): unknown[] {
  return ask([sort], questions).map((answer) => JSON.parse(answer) as unknown);
}
