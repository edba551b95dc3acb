/** Every field of `spec` of an AccessPolicy, as core sees it. */
import type { AccessFieldName } from '@meshrelay/api';
import { memoizeUntilCompaction } from '../../caches/memoize.ts';
import { addRequirements, capabilityPaths, type Intersection, type Requirements } from '../table.ts';
import { action } from './action.ts';
import { allowedMethods } from './allowed-methods.ts';
import { allowedPaths } from './allowed-paths.ts';
import { allowedPorts } from './allowed-ports.ts';
import { notMethods } from './not-methods.ts';
import { notPaths } from './not-paths.ts';
import { notPorts } from './not-ports.ts';
import { sourceSelector } from './source-selector.ts';
import { unauthenticated } from './unauthenticated.ts';

interface AccessFieldViews {
  readonly action: typeof action;
  readonly sourceSelector: typeof sourceSelector;
  readonly allowedPaths: typeof allowedPaths;
  readonly allowedMethods: typeof allowedMethods;
  readonly allowedPorts: typeof allowedPorts;
  readonly notPaths: typeof notPaths;
  readonly notMethods: typeof notMethods;
  readonly notPorts: typeof notPorts;
  readonly unauthenticated: typeof unauthenticated;
}

/** One file for each; an API field that is missing here is a compile error. The order is that of reports. */
const ACCESS_FIELD_VIEWS: { readonly [F in AccessFieldName]: AccessFieldViews[F] } = {
  action,
  sourceSelector,
  allowedPaths,
  allowedMethods,
  allowedPorts,
  notPaths,
  notMethods,
  notPorts,
  unauthenticated,
};

/** From the interface, so that a field that is missing in the table is an error there only. */
type Views = AccessFieldViews;

/** What policies say about the requests that a rule matches. */
export type AccessRuleParts = Intersection<Parameters<Views[keyof Views]['requires']>[0]>;

/** The capabilities of a field. */
export type AccessCapabilitiesOf<F extends AccessFieldName> = F extends keyof Views
  ? keyof Views[F]['capabilities']
  : never;

/** Capabilities of these fields. */
export type AccessCapability = { [F in keyof Views]: AccessCapabilitiesOf<F> }[keyof Views];

/** Each capability with the path in the policy that reports name. */
export const ACCESS_CAPABILITIES: Readonly<Record<AccessCapability, string>> = capabilityPaths(ACCESS_FIELD_VIEWS);

/** Any one of them. */
interface AnyAccessField {
  readonly capabilities: Readonly<Record<string, string>>;
  readonly closed: Partial<AccessRuleParts>;
  requires(rule: AccessRuleParts): readonly AccessCapability[];
}

const FIELDS: readonly AnyAccessField[] = Object.values(ACCESS_FIELD_VIEWS);

/** An ALLOW without callers: it keeps a destination closed. */
export const CLOSED_RULE: AccessRuleParts = Object.assign({}, ...FIELDS.map(({ closed }) => closed));

/** What a rule needs. Core drops an unsupported rule as a whole: in part it would admit or deny other requests too. */
export const accessRequirements: (rule: AccessRuleParts) => Requirements<AccessCapability> = memoizeUntilCompaction(
  (rule) => {
    const requirements = {};
    for (const field of FIELDS) addRequirements(requirements, field, field.requires(rule));
    return requirements;
  },
);
