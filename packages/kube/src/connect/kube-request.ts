/** Requests to an API server. */

/** One request. */
export interface KubeRequest {
  /** Verb and object, for error messages: `apply VirtualService bookinfo/reviews`. */
  readonly what: string;
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Absolute, with encoded segments: see `objectPath` and `collectionPath`. */
  readonly path: string;
  /** Query parameters; undefined ones are omitted. */
  readonly query?: Readonly<Record<string, string | number | boolean | undefined>>;
  /** Sent as JSON. */
  readonly body?: unknown;
  /** `application/json` by default. */
  readonly contentType?: string;
  readonly signal?: AbortSignal | undefined;
}

/** Sends requests to one cluster's API server. */
export interface KubeRequester {
  /**
   * Sends a request and parses the answer.
   * @throws KubeError with the server's message, or RELAY_E_KUBE_UNAVAILABLE without an answer. An abort of the
   *   request's own signal rejects with its reason.
   */
  request<T>(request: KubeRequest): Promise<T>;
}
