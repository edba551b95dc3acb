/** Selects the form of a reply from the client's Accept header. */

/** Forms of objects: full, rows of a table, or metadata only. */
export interface ReplyForm {
  readonly as: 'object' | 'table' | 'metadata';
  readonly format: 'json' | 'yaml';
}

/** One media range of an Accept header. */
export interface MediaRange {
  /** Lower case, without parameters. */
  readonly type: string;
  readonly parameters: ReadonlyMap<string, string>;
}

/** Media types of replies. */
export const OFFERED: readonly string[] = [
  'application/json',
  'application/yaml',
  'application/vnd.kubernetes.protobuf',
];

/** Splits an Accept or Content-Type header. */
export function parseMediaRanges(header: string | undefined): MediaRange[] {
  return (header ?? '').split(',').flatMap((range) => {
    const [type = '', ...parameters] = range.split(';').map((part) => part.trim());
    if (type === '') return [];
    const pairs = parameters.map((each): [string, string] => {
      const equals = each.indexOf('=');
      return equals < 0 ? [each, ''] : [each.slice(0, equals), each.slice(equals + 1)];
    });
    return [{ type: type.toLowerCase(), parameters: new Map(pairs) }];
  });
}

/**
 * The first requested form that is offered, or undefined. Replies are never protobuf, as the client protocol allows: a
 * client that requests it accepts JSON too.
 */
export function negotiate(accept: string | undefined): ReplyForm | undefined {
  const ranges = parseMediaRanges(accept);
  if (ranges.length === 0) return { as: 'object', format: 'json' };
  for (const range of ranges) {
    const form = formOf(range);
    if (form !== undefined) return form;
  }
  const protobuf = ranges.some(({ type }) => type === 'application/vnd.kubernetes.protobuf');
  return protobuf ? { as: 'object', format: 'json' } : undefined;
}

function formOf({ type, parameters }: MediaRange): ReplyForm | undefined {
  if (type === '*/*' || type === 'application/*') return { as: 'object', format: 'json' };
  const format = type === 'application/json' ? 'json' : type === 'application/yaml' ? 'yaml' : undefined;
  if (format === undefined) return undefined;
  const as = parameters.get('as');
  if (as === undefined) return { as: 'object', format };
  if (as === 'Table' && parameters.get('v') === 'v1') return { as: 'table', format };
  if (as === 'PartialObjectMetadata' || as === 'PartialObjectMetadataList')
    return parameters.get('v') === 'v1' ? { as: 'metadata', format } : undefined;
  return undefined;
}
