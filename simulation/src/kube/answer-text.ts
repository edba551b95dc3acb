/** Responses as JSON. Stored objects are immutable, so each state of an object is serialized once. */

const texts = new WeakMap<object, string>();

/** The text of a response body: an object, a list of them, or a status. */
export function textOf(body: unknown): string {
  if (typeof body !== 'object' || body === null) return JSON.stringify(body);
  const { items, ...rest } = body as { readonly items?: readonly object[] };
  if (items === undefined) return textOnce(body);
  const head = JSON.stringify(rest);
  return `${head.slice(0, -1)},"items":[${items.map(textOnce).join(',')}]}`;
}

function textOnce(object: object): string {
  const known = texts.get(object);
  if (known !== undefined) return known;
  const text = JSON.stringify(object);
  texts.set(object, text);
  return text;
}
