/** The caller of a request. */

/** An authenticated caller. */
export interface User {
  readonly name: string;
  readonly uid?: string;
  readonly groups: readonly string[];
  readonly extra?: Readonly<Record<string, readonly string[]>>;
}

/** A caller without a credential. */
export const ANONYMOUS: User = { name: 'system:anonymous', groups: ['system:unauthenticated'] };

/** A caller with the groups of every authenticated caller. */
export function authenticated(
  name: string,
  groups: readonly string[] = [],
  rest: Omit<User, 'name' | 'groups'> = {},
): User {
  return { name, groups: [...groups, 'system:authenticated'], ...rest };
}
