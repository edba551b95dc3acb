/** The open streams of agents: one of each name per cluster, all from the newest connection of the newest term. */
import { RelayError } from '../errors.ts';
import type { RelaySession, StreamName } from './relay-session.ts';

export class SessionRegistry<S extends RelaySession> {
  readonly #clusters = new Map<string, Map<StreamName, S>>();

  /**
   * Adds a stream and closes those it replaces: those of a former leader, or of a connection whose end the server has
   * not noticed. They include all streams of older connections, so that one connection serves all streams of a cluster.
   * @throws RelayError RELAY_E_FENCED when an open stream has a newer term
   */
  add(session: S): void {
    const { cluster, stream, hello, address } = session;
    const streams = this.#clusters.get(cluster) ?? new Map<StreamName, S>();
    for (const old of streams.values()) {
      if (old.hello.term <= hello.term) continue;
      throw new RelayError(
        'RELAY_E_FENCED',
        `term ${hello.term} of cluster ${cluster} is over: term ${old.hello.term} has a ${old.stream} stream`,
      );
    }
    const replaced = [...streams.values()].filter((old) => old.stream === stream || old.address !== address);
    for (const old of replaced) streams.delete(old.stream);
    streams.set(stream, session);
    this.#clusters.set(cluster, streams);
    for (const old of replaced) {
      const reason = `another ${stream} stream of cluster ${cluster} has opened, with term ${hello.term}`;
      old.close(new RelayError('RELAY_E_SUPERSEDED', reason));
    }
  }

  /** Removes a stream if it is still the current one. */
  delete(session: S): void {
    const streams = this.#clusters.get(session.cluster);
    if (streams?.get(session.stream) !== session) return;
    streams.delete(session.stream);
    if (streams.size === 0) this.#clusters.delete(session.cluster);
  }

  get(cluster: string, stream: StreamName): S | undefined {
    return this.#clusters.get(cluster)?.get(stream);
  }

  all(): S[] {
    return [...this.#clusters.values()].flatMap((streams) => [...streams.values()]);
  }
}
