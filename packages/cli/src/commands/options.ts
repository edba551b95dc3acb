/** Parsers of option values. */
import { InputError } from '../problem.ts';

/** For options that may be given more than once. */
export function collect(value: string, before: readonly string[]): readonly string[] {
  return [...before, value];
}

/** For options with a few values. */
export function oneOf<const V extends string>(...values: readonly V[]): (value: string) => V {
  return (value) => {
    const found = values.find((one) => one === value);
    if (found === undefined) throw new InputError(`"${value}" is none of ${values.join(', ')}`);
    return found;
  };
}
