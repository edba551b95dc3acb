/** Handlers of the server's queries for access logs and traffic. */
import type { Handler, Handlers } from '@meshrelay/relay-protocol';
import type { ObservedMethod, Observer } from './observer.ts';
import { readQuestion } from './questions.ts';

export function observeHandlers(observer: Observer): Handlers {
  const handler = <M extends ObservedMethod>(method: M): Handler<M> => ({
    read: (given) => readQuestion(method, given),
    run: (given, { signal }) => observer.ask(method, given, signal),
  });
  return {
    'logs.search': handler('logs.search'),
    'logs.tail': handler('logs.tail'),
    'traffic.edges': handler('traffic.edges'),
  };
}
