/** What programs of ours must be allowed to do, and the objects that allow it. */
export { type Account, accountObjects } from './account.ts';
export { type MemberRbacOptions, memberRbacRules, type NamedObject } from './member-rbac.ts';
export * from './names.ts';
export type { RbacRule } from './rbac-rule.ts';
export type { Rights } from './rights.ts';
export { serverRights } from './server-rights.ts';
