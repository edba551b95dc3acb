/** Headers of a request by name, wherever Envoy writes them in an entry. */
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

/** The field to decode in order to know a header. */
export function fieldOf(name: string): FieldName {
  return Object.hasOwn(FIELDS, name) ? FIELDS[name as keyof typeof FIELDS] : 'requestHeaders';
}

/** The header's value; undefined where the request had none, or Envoy was not told to log it. */
export function headerOf(fields: AccessLogFields, name: string): string | undefined {
  return Object.hasOwn(FIELDS, name) ? fields[FIELDS[name as keyof typeof FIELDS]] : fields.requestHeaders?.[name];
}
