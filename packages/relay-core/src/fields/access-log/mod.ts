/** Every field of `spec` of an AccessLogRecord, as core sees it. */
import type { AccessLogFieldName, AccessLogRecordSpec, AccessLogRule } from '@meshrelay/api';
import { memoizeUntilCompaction } from '../../caches/memoize.ts';
import {
  addRequirements,
  type CapabilitiesOf,
  type CapabilityOf,
  capabilityPaths,
  type Intersection,
  type Requirements,
} from '../table.ts';
import type { AccessLogField } from './field.ts';
import { filters } from './filters.ts';
import { includedFilterStateObjects } from './included-filter-state-objects.ts';
import { includedRequestHeaders } from './included-request-headers.ts';
import { includedResponseHeaders } from './included-response-headers.ts';
import { includedResponseTrailers } from './included-response-trailers.ts';

interface AccessLogFieldViews {
  readonly filters: typeof filters;
  readonly includedRequestHeaders: typeof includedRequestHeaders;
  readonly includedResponseHeaders: typeof includedResponseHeaders;
  readonly includedResponseTrailers: typeof includedResponseTrailers;
  readonly includedFilterStateObjects: typeof includedFilterStateObjects;
}

/** One file for each; an API field that is missing here is a compile error. The order is that of reports. */
const ACCESS_LOG_FIELD_VIEWS: { readonly [F in AccessLogFieldName]: AccessLogFieldViews[F] } = {
  filters,
  includedRequestHeaders,
  includedResponseHeaders,
  includedResponseTrailers,
  includedFilterStateObjects,
};

/** What policies say about the entries that a rule requests. */
export type AccessLogRuleParts = Intersection<Parameters<AccessLogFieldViews[AccessLogFieldName]['retained']>[0]>;

/** The capabilities of a field. */
export type AccessLogCapabilitiesOf<F extends AccessLogFieldName> = CapabilitiesOf<AccessLogFieldViews, F>;

type FieldCapability = CapabilityOf<AccessLogFieldViews>;

/** Capabilities of these fields, and of the kind as a whole. */
export type AccessLogCapability = 'accessLog.requests' | FieldCapability;

/** A record requests entries, whatever its fields are. */
const WHOLE = { 'accessLog.requests': 'spec' } as const;

/** Each capability with the path in the policy that reports name. */
export const ACCESS_LOG_CAPABILITIES: Readonly<Record<AccessLogCapability, string>> = {
  ...WHOLE,
  ...capabilityPaths<FieldCapability>(ACCESS_LOG_FIELD_VIEWS),
};

/** Any one of them. */
interface AnyAccessLogField extends Omit<AccessLogField<AccessLogRuleParts, FieldCapability>, 'view'> {
  view(spec: AccessLogRecordSpec): Partial<AccessLogRuleParts>;
}

const FIELDS = Object.values(ACCESS_LOG_FIELD_VIEWS) as readonly AnyAccessLogField[];

/** The rule of a record. */
export function accessLogRuleOf(spec: AccessLogRecordSpec): AccessLogRuleParts {
  return Object.assign({}, ...FIELDS.map((field) => field.view(spec)));
}

/** What a rule needs at least. */
export const accessLogRequirements: (rule: AccessLogRuleParts) => Requirements<AccessLogCapability> =
  memoizeUntilCompaction((rule) => {
    const requirements = {};
    addRequirements(requirements, { capabilities: WHOLE }, Object.keys(WHOLE));
    for (const field of FIELDS) addRequirements(requirements, field, field.requires?.(rule) ?? []);
    return requirements;
  });

/** The rule without what a mesh does not support; the same object if it supports all. */
export function reducedLogRule<Rule extends AccessLogRuleParts>(
  rule: Rule,
  supports: (capability: AccessLogCapability) => boolean,
): Rule {
  const parts = FIELDS.flatMap((field) => field.reduce?.(rule, supports) ?? []);
  return parts.length === 0 ? rule : Object.assign({}, rule, ...parts);
}

/** The rule by which agents retain entries, without its name. */
export function retainedLogRule(rule: AccessLogRuleParts): Omit<AccessLogRule, 'name'> {
  return Object.assign({}, ...FIELDS.map((field) => field.retained(rule)));
}
