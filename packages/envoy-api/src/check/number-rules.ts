/** Ranges of numbers. */

/** Rules common to all kinds of numbers. */
export interface NumberRules {
  readonly const?: number | bigint | undefined;
  readonly lt?: number | bigint | undefined;
  readonly lte?: number | bigint | undefined;
  readonly gt?: number | bigint | undefined;
  readonly gte?: number | bigint | undefined;
  readonly in: readonly (number | bigint)[];
  readonly notIn: readonly (number | bigint)[];
  readonly ignoreEmpty: boolean;
}

/** The fault of a number, if any. */
export function numberProblem(rules: NumberRules, value: number | bigint): string | undefined {
  if (rules.ignoreEmpty && Number(value) === 0) return undefined;
  // A rule that is not set reads as its default, which means no rule.
  const has = (name: keyof NumberRules): boolean => Object.hasOwn(rules, name);
  const bounds: readonly [
    keyof NumberRules & ('lt' | 'lte' | 'gt' | 'gte' | 'const'),
    string,
    (bound: number | bigint) => boolean,
  ][] = [
    ['const', 'must be', (bound) => value === bound],
    ['lt', 'must be less than', (bound) => value < bound],
    ['lte', 'must be at most', (bound) => value <= bound],
    ['gt', 'must be greater than', (bound) => value > bound],
    ['gte', 'must be at least', (bound) => value >= bound],
  ];
  for (const [name, words, holds] of bounds) {
    const bound = rules[name];
    if (has(name) && bound !== undefined && !holds(bound)) return `${words} ${bound}, is ${value}`;
  }
  if (rules.notIn.includes(value)) return `must not be ${value}`;
  return rules.in.length > 0 && !rules.in.includes(value)
    ? `must be one of ${rules.in.join(', ')}, is ${value}`
    : undefined;
}
