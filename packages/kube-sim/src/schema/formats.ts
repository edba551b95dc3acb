/** The string formats of CRD schemas; formats not listed here are not checked, as in the real server. */

const UUID = /^[0-9a-f]{8}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{12}$/i;
const DATE_TIME = /^\d{4}-\d{2}-\d{2}[Tt ]\d{2}:\d{2}:\d{2}(\.\d+)?([Zz]|[+-]\d{2}:?\d{2})$/;
const HOSTNAME = /^(?=.{1,253}$)([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?)(\.[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?)*\.?$/i;
const EMAIL = /^[^\s@]+@[^\s@]+$/;
const DURATION = /^-?(\d+(\.\d+)?\s*(ns|us|µs|ms|s|m|h|d|w)[a-z]*\s*)+$/i;
const IPV4 = /^(25[0-5]|2[0-4]\d|1?\d?\d)(\.(25[0-5]|2[0-4]\d|1?\d?\d)){3}$/;

function isCalendarDate(value: string): boolean {
  return /^\d{4}-\d{2}-\d{2}$/.test(value) && !Number.isNaN(Date.parse(`${value}T00:00:00Z`));
}

function isIpv6(value: string): boolean {
  return value.includes(':') && URL.canParse(`http://[${value}]/`);
}

function isCidr(value: string): boolean {
  const [address, bits, ...rest] = value.split('/');
  if (address === undefined || bits === undefined || rest.length > 0 || !/^\d{1,3}$/.test(bits)) return false;
  return IPV4.test(address) ? Number(bits) <= 32 : isIpv6(address) && Number(bits) <= 128;
}

const CHECKS: Readonly<Record<string, (value: string) => boolean>> = {
  byte: (value) => /^([A-Za-z0-9+/]{4})*([A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/.test(value),
  cidr: isCidr,
  date: isCalendarDate,
  datetime: (value) => DATE_TIME.test(value) && isCalendarDate(value.slice(0, 10)),
  duration: (value) => DURATION.test(value),
  email: (value) => EMAIL.test(value),
  hexcolor: (value) => /^#?([0-9a-f]{3}|[0-9a-f]{6})$/i.test(value),
  hostname: (value) => HOSTNAME.test(value),
  ipv4: (value) => IPV4.test(value),
  ipv6: isIpv6,
  mac: (value) => /^([0-9a-f]{2}[:-]){5}[0-9a-f]{2}$/i.test(value),
  uri: (value) => URL.canParse(value) || value.startsWith('/'),
  uuid: (value) => UUID.test(value),
};

/** True if the string matches the format, or the format is not checked. */
export function matchesFormat(format: string, value: string): boolean {
  return CHECKS[format.replaceAll('-', '')]?.(value) ?? true;
}
