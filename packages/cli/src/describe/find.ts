/** Finds what a name means among things of one kind. */
import { nearest, shortList } from '@meshrelay/api';
import { InputError } from '../problem.ts';

/** A thing, and the names it goes by: its own in full first, then shorter or other ones. */
export interface Named<T> {
  readonly names: readonly [string, ...string[]];
  readonly thing: T;
}

/** How many names a message lists. */
const MAX_LISTED = 20;

/** @param kind such as `destination`, for messages. @throws InputError for a name of nothing or of several things */
export function findNamed<T>(kind: string, name: string, things: readonly Named<T>[]): T {
  const found = things.filter(({ names }) => names.includes(name));
  const [only] = found;
  if (only !== undefined && found.length === 1) return only.thing;
  if (only !== undefined) {
    const all = found.map(({ names: [full] }) => full);
    throw new InputError(`"${name}" means ${all.length} ${kind}s; name one of them: ${shortList(all, MAX_LISTED)}`);
  }
  const meant = nearest(
    name,
    things.flatMap(({ names }) => names),
  );
  const hint =
    meant !== undefined
      ? `did you mean ${meant}?`
      : things.length === 0
        ? 'there are none at all'
        : `there are ${shortList(
            things.map(({ names: [full] }) => full),
            MAX_LISTED,
          )}`;
  throw new InputError(`there is no ${kind} "${name}"; ${hint}`);
}
