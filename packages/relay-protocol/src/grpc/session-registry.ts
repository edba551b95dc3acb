/** The streams that are open: one push and one pull for each cluster, the newest term's. */
import { RelayError } from '../errors.ts';
import type { RelaySession, StreamName } from './relay-session.ts';

export class SessionRegistry<S extends RelaySession> {
  readonly #sessions = new Map<string, S>();

  /**
   * Takes a stream in and closes the one whose place it takes: two leaders, or a connection that died unnoticed.
   * @throws RelayError RELAY_E_OLD_TERM when the one in place is of a newer term
   */
  add(session: S): void {
    const id = idOf(session);
    const old = this.#sessions.get(id);
    const { cluster, stream, hello } = session;
    if (old !== undefined && old.hello.term > hello.term) {
      throw new RelayError(
        'RELAY_E_OLD_TERM',
        `term ${hello.term} of cluster ${cluster} is over: term ${old.hello.term} has a ${stream} stream`,
      );
    }
    this.#sessions.set(id, session);
    old?.close(
      new RelayError(
        'RELAY_E_SUPERSEDED',
        `another ${stream} stream of cluster ${cluster} came, of term ${hello.term}`,
      ),
    );
  }

  /** Takes a stream out, if it is still the one in place. */
  delete(session: S): void {
    if (this.#sessions.get(idOf(session)) === session) this.#sessions.delete(idOf(session));
  }

  get(cluster: string, stream: StreamName): S | undefined {
    return this.#sessions.get(idOf({ cluster, stream }));
  }

  all(): S[] {
    return [...this.#sessions.values()];
  }
}

function idOf({ cluster, stream }: Pick<RelaySession, 'cluster' | 'stream'>): string {
  return `${stream}/${cluster}`;
}
