/** Sends equal questions once: tests compare many changes with the same initial state. */

/**
 * The answers in the order of the questions, which are lines.
 * @param ask receives each different question once, in the order of first occurrence
 */
export function askOnce(questions: readonly string[], ask: (different: readonly string[]) => string[]): string[] {
  const different = [...new Set(questions)];
  const answers = ask(different);
  const byQuestion = new Map(different.map((question, at) => [question, answers[at] as string]));
  return questions.map((question) => byQuestion.get(question) as string);
}
