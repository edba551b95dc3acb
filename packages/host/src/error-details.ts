/** Failures as users see them: the reason and the next action. */

/** Why something failed, for the fields of a log line. */
export interface ErrorDetails {
  readonly reason: string;
  /** The next action, unless the reason already contains it. */
  readonly next?: string;
}

export function errorDetails(error: unknown): ErrorDetails {
  if (!(error instanceof Error)) return { reason: String(error) };
  const { next } = error as { readonly next?: unknown };
  return { reason: error.message, ...(typeof next === 'string' && { next }) };
}

/** The same as one text, for a status, an answer or a terminal. */
export function errorMessage(error: unknown): string {
  const { reason, next } = errorDetails(error);
  return next === undefined ? reason : `${reason}. ${next}`;
}
