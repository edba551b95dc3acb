/** Which form of a reply a client takes, from its Accept header. */

/** How objects are written: as they are, as rows of a table, or as metadata alone. */
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

/** What replies may be asked for in. */
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
 * The first form of those asked for that is offered, or undefined. Protobuf is never offered for replies, as the client
 * protocol allows: whoever asks for it takes JSON too.
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
