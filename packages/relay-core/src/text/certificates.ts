/** Certificates in PEM text, compared by their bytes and not parsed. */

const BLOCK = /-----BEGIN CERTIFICATE-----([A-Za-z0-9+/=\s]{1,16384})-----END CERTIFICATE-----/g;
const LINE = /.{1,64}/g;

/** The maximum number in a bundle; Istio's own limit for a ConfigMap is far above. */
const MAX_CERTIFICATES = 32;

/** The base64 of each certificate, sorted, each once. Empty without any, or with more than a bundle may hold. */
export function certificatesOf(pem: string): string[] {
  const found = new Set<string>();
  for (const [, base64 = ''] of pem.matchAll(BLOCK)) {
    found.add(base64.replace(/\s+/g, ''));
    if (found.size > MAX_CERTIFICATES) return [];
  }
  return [...found].sort();
}

/** The same certificates in a fixed order and layout; undefined without any. */
export function tidyCertificates(pem: string): string | undefined {
  const blocks = certificatesOf(pem).map(
    (base64) => `-----BEGIN CERTIFICATE-----\n${(base64.match(LINE) ?? []).join('\n')}\n-----END CERTIFICATE-----\n`,
  );
  return blocks.length === 0 ? undefined : blocks.join('');
}
