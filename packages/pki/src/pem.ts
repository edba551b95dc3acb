/** Converts PEM to DER and back: one linear pass, with sizes checked before anything is decoded. */
import { Buffer } from 'node:buffer';
import { malformed } from './pki-error.ts';

/** Limits of the input; all are checked before decoding. */
export interface PemLimits {
  /** Characters of the whole text. */
  readonly maxLength: number;
  /** Blocks in the text. */
  readonly maxBlocks: number;
  /** Whether text around the blocks is ignored (operators' files) or rejected (data from a peer). */
  readonly allowText?: boolean;
}

/** One block of a PEM text. */
export interface PemBlock {
  readonly label: string;
  readonly der: Uint8Array;
}

const BEGIN = '-----BEGIN ';
const DASHES = '-----';
const BASE64 = /^[A-Za-z0-9+/\r\n]+={0,2}[\r\n]*$/;

/**
 * All blocks of a PEM text, at least one.
 * @throws RELAY_E_PKI_MALFORMED when the text is too long, has too many or broken blocks, or text between them
 */
export function readPem(text: string, what: string, limits: PemLimits): readonly PemBlock[] {
  if (text.length > limits.maxLength)
    throw malformed(`${what}: PEM of ${text.length} characters, at most ${limits.maxLength} are read`);
  const blocks: PemBlock[] = [];
  let at = 0;
  for (;;) {
    const begin = text.indexOf(BEGIN, at);
    const between = text.slice(at, begin < 0 ? text.length : begin);
    if (limits.allowText !== true && between.trim() !== '') throw malformed(`${what}: text outside the PEM blocks`);
    if (begin < 0) break;
    if (blocks.length === limits.maxBlocks) throw malformed(`${what}: more than ${limits.maxBlocks} PEM blocks`);
    const block = readBlock(text, begin, what);
    blocks.push(block);
    at = block.end;
  }
  if (blocks.length === 0) throw malformed(`${what}: no PEM block found (expected a line "-----BEGIN ...-----")`);
  return blocks.map(({ label, der }) => ({ label, der }));
}

function readBlock(text: string, begin: number, what: string): PemBlock & { readonly end: number } {
  const labelFrom = begin + BEGIN.length;
  const labelTo = text.indexOf(DASHES, labelFrom);
  const label = labelTo < 0 ? '' : text.slice(labelFrom, labelTo);
  if (!/^[A-Z0-9 ]{1,40}$/.test(label)) throw malformed(`${what}: PEM block without a proper label`);
  const bodyFrom = labelTo + DASHES.length;
  const endLine = `-----END ${label}-----`;
  const bodyTo = text.indexOf(DASHES, bodyFrom);
  if (bodyTo < 0 || !text.startsWith(endLine, bodyTo)) throw malformed(`${what}: PEM block ${label} has no end line`);
  const body = text.slice(bodyFrom, bodyTo);
  if (!BASE64.test(body)) throw malformed(`${what}: PEM block ${label} is not base64`);
  const digits = body.replaceAll(/[\r\n]/g, '');
  const bytes = Buffer.from(digits, 'base64');
  if (digits === '' || bytes.toString('base64') !== digits)
    throw malformed(`${what}: PEM block ${label} is not canonical base64`);
  return { label, der: Uint8Array.from(bytes), end: bodyTo + endLine.length };
}

/** The blocks as DER; all must have `label`. */
export function readPemDer(text: string, label: string, what: string, limits: PemLimits): readonly Uint8Array[] {
  return readPem(text, what, limits).map((block) => {
    if (block.label !== label) throw malformed(`${what}: expected PEM ${label}, found ${block.label}`);
    return block.der;
  });
}

/** DER as one PEM block, with lines of 64 characters and a final line end. */
export function writePem(label: string, der: Uint8Array): string {
  const lines =
    Buffer.from(der)
      .toString('base64')
      .match(/.{1,64}/g) ?? [];
  return `-----BEGIN ${label}-----\n${lines.join('\n')}\n-----END ${label}-----\n`;
}
