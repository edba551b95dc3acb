/** Events that may happen to a fleet. Each operation is data, so a schedule can be stored, shrunk and run again. */

/** One event, at a moment in simulated milliseconds. Durations are in milliseconds too. */
export type Operation = { readonly at: number } & (
  | { readonly do: 'put-service'; readonly cluster: string; readonly name: string; readonly port: number }
  | { readonly do: 'delete-service'; readonly cluster: string; readonly name: string }
  | { readonly do: 'put-policy'; readonly name: string; readonly service: string; readonly seconds: number }
  | { readonly do: 'delete-policy'; readonly name: string }
  | { readonly do: 'put-virtual-mesh'; readonly clusters: readonly string[] }
  | { readonly do: 'delete-virtual-mesh' }
  | { readonly do: 'crash'; readonly place: string; readonly down: number }
  | { readonly do: 'stop'; readonly place: string; readonly down: number }
  | { readonly do: 'freeze'; readonly place: string; readonly how: 'stopped' | 'suspended'; readonly lasts: number }
  | {
      readonly do: 'partition';
      readonly from: string;
      readonly to: string;
      readonly both: boolean;
      readonly lasts: number;
    }
  | { readonly do: 'double'; readonly place: string; readonly frozen: number; readonly both: number }
  | { readonly do: 'drift'; readonly cluster: string; readonly pick: number; readonly how: 'delete' | 'edit' }
  | { readonly do: 'lease'; readonly cluster: string; readonly how: 'delete' | 'steal' }
  | { readonly do: 'api-down'; readonly host: string; readonly lasts: number }
  | { readonly do: 'api-errors'; readonly host: string; readonly share: number; readonly lasts: number }
  /** The API server rejects lists of one kind, except those of a single object. */
  | { readonly do: 'failing-lists'; readonly host: string; readonly plural: string; readonly lasts: number }
  | { readonly do: 'silent-watches'; readonly host: string; readonly lasts: number }
  | { readonly do: 'compact'; readonly host: string; readonly reset: boolean }
  | { readonly do: 'slow'; readonly from: string; readonly to: string; readonly by: number; readonly lasts: number }
  | { readonly do: 'rate'; readonly place: string; readonly rate: number }
  | { readonly do: 'wall'; readonly place: string; readonly by: number }
  | { readonly do: 'suspend'; readonly cluster: string; readonly suspended: boolean }
  | { readonly do: 'deregister'; readonly cluster: string }
  | { readonly do: 'register'; readonly cluster: string }
  | { readonly do: 'redis'; readonly how: 'flush' | 'restart' | 'save' | 'roll-back' }
  | { readonly do: 'redis-down'; readonly lasts: number }
  | { readonly do: 'tamper'; readonly pick: number }
  /** Creates or deletes this many numbered services at once. */
  | { readonly do: 'put-services'; readonly cluster: string; readonly count: number }
  | { readonly do: 'delete-services'; readonly cluster: string; readonly count: number }
  /** Does nothing: the faults of this moment continue, since all faults end after the last operation. */
  | { readonly do: 'wait' }
  /** A user approves the held deletions of a cluster, if there are any. */
  | { readonly do: 'approve'; readonly cluster: string }
  /** The connection between two programs breaks after this many more messages from one have arrived at the other. */
  | { readonly do: 'cut'; readonly from: string; readonly to: string; readonly after: number }
  /** For some time, an API server's lists return the state of this moment to all existing clients. */
  | { readonly do: 'stale-lists'; readonly host: string; readonly lasts: number }
);
