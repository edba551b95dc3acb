/** Names that Kubernetes allows, with its messages for others. */

const LABEL = '[a-z0-9]([-a-z0-9]*[a-z0-9])?';
const SUBDOMAIN = `${LABEL}(\\.${LABEL})*`;
const SERVICE_LABEL = '[a-z]([-a-z0-9]*[a-z0-9])?';
const LABEL_VALUE = '(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?';
const QUALIFIED_NAME = '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]';

function isWhole(pattern: string, text: string): boolean {
  return new RegExp(`^(?:${pattern})$`).test(text);
}

function tooLongText(maximum: number): string {
  return `must be no more than ${maximum} bytes`;
}

/** Why a text is not a DNS subdomain, or undefined. */
export function subdomainFault(text: string): string | undefined {
  if (text.length > 253) return tooLongText(253);
  if (isWhole(SUBDOMAIN, text)) return undefined;
  return `a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '${SUBDOMAIN}')`;
}

/** Why a text is not a DNS label, or undefined. */
export function labelFault(text: string): string | undefined {
  if (text.length > 63) return tooLongText(63);
  if (isWhole(LABEL, text)) return undefined;
  return `a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character (e.g. 'my-name',  or '123-abc', regex used for validation is '${LABEL}')`;
}

/** Why a text is not a valid name of a Service, or undefined. */
export function serviceNameFault(text: string): string | undefined {
  if (text.length > 63) return tooLongText(63);
  if (isWhole(SERVICE_LABEL, text)) return undefined;
  return `a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic character, and end with an alphanumeric character (e.g. 'my-name',  or 'abc-123', regex used for validation is '${SERVICE_LABEL}')`;
}

/** Why a text is not a valid URL path segment, or undefined. */
export function pathSegmentFault(text: string): string | undefined {
  if (text === '.' || text === '..') return `may not be '${text}'`;
  if (text.includes('/')) return "may not contain '/'";
  if (text.includes('%')) return "may not contain '%'";
  return undefined;
}

/** Why a text is not a valid label value, or undefined. */
export function labelValueFault(text: string): string | undefined {
  if (text.length > 63) return tooLongText(63);
  if (isWhole(LABEL_VALUE, text)) return undefined;
  return `a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyValue',  or 'my_value',  or '12345', regex used for validation is '${LABEL_VALUE}')`;
}

/** Why a text is not a valid label or annotation key, or undefined. */
export function qualifiedNameFault(text: string): string | undefined {
  const parts = text.split('/');
  const name = parts.length === 2 ? (parts[1] ?? '') : text;
  if (parts.length > 2)
    return `a qualified name must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '${QUALIFIED_NAME}') with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')`;
  if (parts.length === 2) {
    const prefix = parts[0] ?? '';
    if (prefix === '') return 'prefix part must be non-empty';
    const fault = subdomainFault(prefix);
    if (fault !== undefined) return `prefix part ${fault}`;
  }
  if (name === '') return 'name part must be non-empty';
  if (name.length > 63) return `name part ${tooLongText(63)}`;
  if (isWhole(QUALIFIED_NAME, name)) return undefined;
  return `name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '${QUALIFIED_NAME}')`;
}
