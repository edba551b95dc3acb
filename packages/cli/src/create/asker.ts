/** Asks the user. */

export interface Choice<Value extends string = string> {
  readonly value: Value;
  /** Omitted: the value. */
  readonly label?: string;
  readonly hint?: string;
}

export interface TextQuestion<Value> {
  readonly message: string;
  /** A value to start from. */
  readonly initial?: string;
  /** The value of a text; if it throws, the question is asked again with the error's message. */
  readonly parse: (text: string) => Value;
}

export interface SeveralQuestion {
  readonly message: string;
  readonly choices: readonly Choice[];
  /** Whether at least one must be picked. */
  readonly required: boolean;
  /** Why the picked ones do not fit; the question is asked again. */
  readonly problem?: (picked: readonly string[]) => string | undefined;
}

/** Every method rejects with Interrupted if the user ends the questions. */
export interface Asker {
  text<Value>(question: TextQuestion<Value>): Promise<Value>;
  /** One of few. */
  one<const Value extends string>(message: string, choices: ReadonlyArray<Choice<Value>>): Promise<Value>;
  /** Some of many, in the order in which they are picked. */
  several(question: SeveralQuestion): Promise<readonly string[]>;
}

/** What flags gave; without any, the answer to a question. */
export async function givenOr<Value>(
  given: readonly Value[],
  ask: () => Promise<readonly Value[]>,
): Promise<readonly Value[]> {
  return given.length > 0 ? given : await ask();
}

/** A parser for text that may be empty. */
export function optional<Value>(parse: (text: string) => Value): (text: string) => Value | undefined {
  return (text) => (text === '' ? undefined : parse(text));
}
