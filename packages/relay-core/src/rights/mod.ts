/** The permissions of Meshrelay's programs, and the objects that grant them. */
export { accountObjects } from './account.ts';
export type { Account } from './account-name.ts';
export { type MemberRbacOptions, memberRbacRules, type NamedObject } from './member-rbac.ts';
export * from './names.ts';
export type { RbacRule } from './rbac-rule.ts';
export type { Rights } from './rights.ts';
export { serverRights } from './server-rights.ts';
