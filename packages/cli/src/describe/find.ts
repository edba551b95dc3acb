/** Finds an object of one kind by its name. */
import { nearest, shortList } from '@meshrelay/api';
import { InputError } from '../problem.ts';

/** An object with its names: the full name first, then short and alternative ones. */
export interface Named<T> {
  readonly names: readonly [string, ...string[]];
  readonly thing: T;
}

/** Maximum number of names in a message. */
const MAX_LISTED = 20;

/**
 * @param kind such as `destination`, for messages
 * @throws InputError for an unknown or ambiguous name
 */
export function findNamed<T>(kind: string, name: string, things: readonly Named<T>[]): T {
  const found = things.filter(({ names }) => names.includes(name));
  const [only] = found;
  if (only !== undefined && found.length === 1) return only.thing;
  if (only !== undefined) {
    const all = found.map(({ names: [full] }) => full);
    throw new InputError(`"${name}" means ${all.length} ${kind}s; choose one: ${shortList(all, MAX_LISTED)}`);
  }
  const meant = nearest(
    name,
    things.flatMap(({ names }) => names),
  );
  const hint =
    meant !== undefined
      ? `did you mean ${meant}?`
      : things.length === 0
        ? `the fleet has no ${kind}`
        : `there are ${shortList(
            things.map(({ names: [full] }) => full),
            MAX_LISTED,
          )}`;
  throw new InputError(`no ${kind} "${name}" found; ${hint}`);
}
