/** The faults of the incremental graph: each has a code, and a message that says what to do next. */

/** Every code a {@link GraphError} can carry. */
export type GraphErrorCode =
  /** A transform, or a node's definition, reaches for a collection made later than its own node. */
  | 'GRAPH_E_ORDER'
  /** Two items gave the same output key, or one item gave it twice. */
  | 'GRAPH_E_DUPLICATE'
  /** A function that must be synchronous returned a promise. */
  | 'GRAPH_E_ASYNC'
  /** A transform returned something that is not of the shape its node asks for. */
  | 'GRAPH_E_OUTPUT'
  /** A commit was asked for from inside a transform or a transaction. */
  | 'GRAPH_E_BUSY'
  /** A node was given a name that another node has. */
  | 'GRAPH_E_NAME'
  /** A node was added after the first commit, or after the dormant part. */
  | 'GRAPH_E_SEALED'
  /** A node that works on kept values was to be made of an inline collection. */
  | 'GRAPH_E_INLINE'
  /** A collection or index belongs to another graph, or was not made by a graph. */
  | 'GRAPH_E_FOREIGN'
  /** A transaction wrote to a collection that is not a source, or wrote undefined. */
  | 'GRAPH_E_WRITE'
  /** A transaction, or the `read` of a transform, was used after its call had ended. */
  | 'GRAPH_E_CLOSED'
  /** Listeners threw; the commit itself is published. */
  | 'GRAPH_E_LISTENER'
  /** An earlier commit broke off in the engine itself; the graph must be rebuilt from its sources. */
  | 'GRAPH_E_BROKEN';

/** A fault of the graph or of a function given to it. */
export class GraphError extends Error {
  override readonly name = 'GraphError';
  readonly code: GraphErrorCode;

  constructor(code: GraphErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}

/** Whether a commit broke off in the engine itself, so that the graph takes no more. */
export function isBroken(error: unknown): error is GraphError {
  return error instanceof GraphError && error.code === 'GRAPH_E_BROKEN';
}
