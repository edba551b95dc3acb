/** The query of a list or watch, parsed and checked. */
import { badRequest, invalidOptions, plainError } from '../errors/api-errors.ts';
import { type FieldError, forbidden, notSupported } from '../errors/field-error.ts';
import type { ServedResource } from '../resources/definition.ts';
import { type FieldMatcher, parseFieldSelector } from '../selectors/field-selector.ts';
import { type LabelMatcher, parseLabelSelector } from '../selectors/label-selector.ts';

/** Options of a list or watch. */
export interface ListOptions {
  readonly labels: LabelMatcher;
  readonly fields: FieldMatcher;
  /** True if any selector is set. */
  readonly selective: boolean;
  /** Undefined if unset; 0 means any available version. */
  readonly resourceVersion: number | undefined;
  readonly match: '' | 'Exact' | 'NotOlderThan';
  /** 0 means no limit. */
  readonly limit: number;
  readonly continueToken: string;
  readonly bookmarks: boolean;
  readonly sendInitialEvents: boolean;
  /** Undefined if the server decides. */
  readonly timeoutSeconds: number | undefined;
}

/**
 * Reads the options of a request.
 * @throws StatusError 400, 422, or 500 for a watch from an invalid resourceVersion
 */
export function parseListOptions(query: URLSearchParams, resource: ServedResource, watch: boolean): ListOptions {
  const errors = watch ? watchErrors(query) : listErrors(query);
  if (errors.length > 0) throw invalidOptions('ListOptions', errors);
  const labelSelector = query.get('labelSelector') ?? '';
  const fieldSelector = query.get('fieldSelector') ?? '';
  const continueToken = query.get('continue') ?? '';
  const resourceVersion = parseResourceVersion(query.get('resourceVersion') ?? '', watch);
  if (continueToken !== '' && resourceVersion !== undefined && resourceVersion !== 0)
    throw badRequest('specifying resource version is not allowed when using continue');
  const timeout = query.get('timeoutSeconds');
  return {
    labels: parseLabelSelector(labelSelector),
    fields: parseFieldSelector(fieldSelector, resource),
    selective: labelSelector !== '' || fieldSelector !== '',
    resourceVersion,
    match: (query.get('resourceVersionMatch') ?? '') as ListOptions['match'],
    limit: parseCount(query, 'limit') ?? 0,
    continueToken,
    bookmarks: isTrue(query.get('allowWatchBookmarks')),
    sendInitialEvents: isTrue(query.get('sendInitialEvents')),
    timeoutSeconds: timeout === null ? undefined : parseCount(query, 'timeoutSeconds'),
  };
}

/** Booleans in queries: `1`, `t`, `true`, or present without a value. */
export function isTrue(text: string | null): boolean {
  return text !== null && !['0', 'f', 'F', 'false', 'FALSE', 'False'].includes(text);
}

function parseResourceVersion(text: string, watch: boolean): number | undefined {
  if (text === '') return undefined;
  if (/^\d+$/.test(text)) return Number(text);
  const message = `resourceVersion: Invalid value: ${JSON.stringify(text)}: strconv.ParseUint: parsing ${JSON.stringify(text)}: invalid syntax`;
  throw watch ? plainError(message) : badRequest(`invalid resource version: ${message}`);
}

function parseCount(query: URLSearchParams, name: string): number | undefined {
  const text = query.get(name) ?? '';
  if (text === '') return undefined;
  if (!/^-?\d+$/.test(text)) throw badRequest(`strconv.ParseInt: parsing ${JSON.stringify(text)}: invalid syntax`);
  return Math.max(0, Number(text));
}

const MATCH = 'resourceVersionMatch';

function listErrors(query: URLSearchParams): FieldError[] {
  const match = query.get(MATCH) ?? '';
  const resourceVersion = query.get('resourceVersion') ?? '';
  const errors: FieldError[] = [];
  if (match !== '') {
    if (resourceVersion === '')
      errors.push(forbidden(MATCH, `${MATCH} is forbidden unless resourceVersion is provided`));
    if (query.get('continue')) errors.push(forbidden(MATCH, `${MATCH} is forbidden when continue is provided`));
    if (match !== 'Exact' && match !== 'NotOlderThan')
      errors.push(notSupported(MATCH, match, ['Exact', 'NotOlderThan', '']));
    if (match === 'Exact' && resourceVersion === '0')
      errors.push(forbidden(MATCH, `${MATCH} "exact" is forbidden for resourceVersion "0"`));
  }
  if (query.has('sendInitialEvents'))
    errors.push(forbidden('sendInitialEvents', 'sendInitialEvents is forbidden for list'));
  return errors;
}

function watchErrors(query: URLSearchParams): FieldError[] {
  const match = query.get(MATCH) ?? '';
  const initial = query.has('sendInitialEvents');
  const errors: FieldError[] = [];
  if (initial && match !== 'NotOlderThan')
    errors.push(forbidden(MATCH, `sendInitialEvents requires setting ${MATCH} to NotOlderThan`));
  if (match === '') return errors;
  if (!initial) errors.push(forbidden(MATCH, `${MATCH} is forbidden for watch unless sendInitialEvents is provided`));
  if (match !== 'NotOlderThan') errors.push(notSupported(MATCH, match, ['NotOlderThan']));
  if (query.get('continue')) errors.push(forbidden(MATCH, `${MATCH} is forbidden when continue is provided`));
  return errors;
}
