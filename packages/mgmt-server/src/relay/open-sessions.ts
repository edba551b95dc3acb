/** Open streams of all agents: those of the relay, and those of clusters that the server reaches directly. */
import { RelayError, type RelaySession, type StreamName } from '@meshrelay/relay-protocol';

/** A source of streams, such as the relay's server. */
export interface SessionSource {
  sessions(): readonly RelaySession[];
}

export class OpenSessions implements SessionSource {
  readonly #sources: SessionSource[] = [];

  /** Adds the streams of a source that has just started. */
  add(source: SessionSource): void {
    this.#sources.push(source);
  }

  sessions(): RelaySession[] {
    return this.#sources.flatMap((source) => source.sessions());
  }

  /** Closes a cluster's streams, or one of them. The agent reconnects, and then gets its present outputs. */
  close(cluster: string, stream?: StreamName): void {
    for (const session of this.sessions()) {
      if (session.cluster !== cluster || (stream !== undefined && session.stream !== stream)) continue;
      session.close(
        new RelayError('RELAY_E_UNAVAILABLE', `the registration of cluster ${cluster} has changed; connect again`),
      );
    }
  }
}
