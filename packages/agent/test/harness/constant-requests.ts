/** Requests to a proxy, one after the other without a pause, while a test changes its configuration. */

export interface ConstantRequests<Answer> extends AsyncDisposable {
  /** What was answered so far; a failed request counts as its error. */
  readonly answers: readonly (Answer | Error)[];
  /** Ends the requests and returns what was answered. */
  end(): Promise<readonly (Answer | Error)[]>;
}

/**
 * Never rejects: if a wait of the test fails, its error is the one that is reported. Declared after the proxy, the
 * requests end before it does.
 */
export function constantRequests<Answer>(ask: () => Promise<Answer>): ConstantRequests<Answer> {
  const answers: (Answer | Error)[] = [];
  const over = new AbortController();
  const load = (async () => {
    while (!over.signal.aborted) answers.push(await ask().catch((error: Error) => error));
  })();
  const end = async (): Promise<readonly (Answer | Error)[]> => {
    over.abort();
    await load;
    return answers;
  };
  return { answers, end, [Symbol.asyncDispose]: async () => void (await end()) };
}
