/** Request headers by name, in whichever field of an entry Envoy writes them. */
import type { AccessLogFields, FieldName } from '../entry/access-log-fields.ts';

/** Headers that have fields of their own. */
const FIELDS = {
  ':method': 'method',
  ':path': 'path',
  ':authority': 'authority',
  ':scheme': 'scheme',
  'user-agent': 'userAgent',
  referer: 'referer',
  'x-forwarded-for': 'forwardedFor',
  'x-request-id': 'requestId',
  'x-envoy-original-path': 'originalPath',
} as const satisfies Readonly<Record<string, FieldName>>;

/** The field to decode for a header. */
export function fieldOf(name: string): FieldName {
  return Object.hasOwn(FIELDS, name) ? FIELDS[name as keyof typeof FIELDS] : 'requestHeaders';
}

/** Value of the header; undefined if the request did not have it, or Envoy was not configured to log it. */
export function headerOf(fields: AccessLogFields, name: string): string | undefined {
  return Object.hasOwn(FIELDS, name) ? fields[FIELDS[name as keyof typeof FIELDS]] : fields.requestHeaders?.[name];
}
