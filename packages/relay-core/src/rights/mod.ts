/** What programs of ours must be allowed to do, and the objects that allow it. */
export { type Account, accountObjects } from './account.ts';
export { type MemberRightsOptions, memberRights, type NamedObject } from './member-rights.ts';
export * from './names.ts';
export type { RightRule } from './right-rule.ts';
export type { Rights } from './rights.ts';
export { serverRights } from './server-rights.ts';
