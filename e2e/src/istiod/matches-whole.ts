/** Regular expressions as Envoy applies them. */

/** RE2 as a JavaScript expression, for the expressions that fleets use here. */
export function matchesWhole(expression: string, text: string): boolean {
  const [flags = '', rest = expression] =
    /^\(\?i\)(.*)$/s
      .exec(expression)
      ?.slice(1)
      .flatMap((one) => ['i', one]) ?? [];
  return new RegExp(`^(?:${rest})$`, `u${flags}`).test(text);
}
