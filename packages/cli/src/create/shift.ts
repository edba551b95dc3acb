/** A share of a traffic shift, as text: `WEIGHT=SERVICE[:PORT][,LABEL=VALUE]...`. */
export interface Shift {
  readonly weight: number;
  /** Its name, such as `reviews` or `cluster-1/shop/reviews`. */
  readonly service: string;
  readonly port?: number;
  readonly subset?: Readonly<Record<string, string>>;
}

const SYNTAX = /^(\d{1,9})=([^:,=\s]+)(?::(\d{1,5}))?((?:,[^,=\s]+=[^,=\s]*)*)$/;

/** Undefined if the text has another form. */
export function parseShift(text: string): Shift | undefined {
  const [, weight, service, port, labels = ''] = SYNTAX.exec(text) ?? [];
  if (weight === undefined || service === undefined) return undefined;
  const subset = labels.split(',').filter((label) => label !== '');
  return {
    weight: Number(weight),
    service,
    ...(port === undefined ? {} : { port: Number(port) }),
    ...(subset.length === 0 ? {} : { subset: Object.fromEntries(subset.map(splitPair)) }),
  };
}

export function shiftText({ weight, service, port, subset = {} }: Shift): string {
  const labels = Object.entries(subset).map(([label, value]) => `,${label}=${value}`);
  return `${weight}=${service}${port === undefined ? '' : `:${port}`}${labels.join('')}`;
}

/** The parts before and after the first `=`. */
export function splitPair(text: string): readonly [name: string, value: string] {
  const equals = text.indexOf('=');
  return equals < 0 ? [text, ''] : [text.slice(0, equals), text.slice(equals + 1)];
}
