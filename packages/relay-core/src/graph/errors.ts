/** Errors of the incremental graph. Each has a code, and a message that says how to fix it. */

/** Every code of a {@link GraphError}. */
export type GraphErrorCode =
  /** A transform, or a node's definition, uses a collection created after its own node. */
  | 'GRAPH_E_ORDER'
  /** Two items returned the same output key, or one item returned it twice. */
  | 'GRAPH_E_DUPLICATE'
  /** A function that must be synchronous returned a promise. */
  | 'GRAPH_E_ASYNC'
  /** A transform returned a value that does not have the shape its node expects. */
  | 'GRAPH_E_OUTPUT'
  /** A transform or a transaction called `commit`. */
  | 'GRAPH_E_BUSY'
  /** Another node has the same name. */
  | 'GRAPH_E_NAME'
  /** A node was added after the first commit, or after the lazy part. */
  | 'GRAPH_E_SEALED'
  /** The input is an inline collection, but this kind of node needs stored values. */
  | 'GRAPH_E_INLINE'
  /** A collection or index belongs to another graph, or was not created by a graph. */
  | 'GRAPH_E_WRONG_GRAPH'
  /** A transaction wrote to a collection that is not a source, or wrote undefined. */
  | 'GRAPH_E_WRITE'
  /** A transaction, or the `read` of a transform, was used after its call had returned. */
  | 'GRAPH_E_CLOSED'
  /** Listeners threw; the commit itself was published. */
  | 'GRAPH_E_LISTENER'
  /** An earlier commit failed inside the engine; rebuild the graph from its sources. */
  | 'GRAPH_E_BROKEN';

/** An error of the graph, or of a function passed to it. */
export class GraphError extends Error {
  override readonly name = 'GraphError';
  readonly code: GraphErrorCode;

  constructor(code: GraphErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}

/** Whether a commit failed inside the engine, so that the graph accepts no further commits. */
export function isBroken(error: unknown): error is GraphError {
  return error instanceof GraphError && error.code === 'GRAPH_E_BROKEN';
}
