/** Storage of the token registry in the management cluster: hashes of tokens, never tokens. */
import { malformed } from '../pki-error.ts';
import { type TokenRecord, TokenRegistry } from './token-registry.ts';

/** The Secret in the management namespace. */
export const TOKENS_SECRET = 'relay-tokens';
/** Its only key: a JSON list of token records. */
export const TOKENS_KEY = 'records.json';

type SecretData = Readonly<Record<string, string>>;

/** The registry in the Secret's data; empty without data. @throws PkiError naming the Secret if it is unreadable */
export function readTokenBook(data: SecretData): TokenRegistry {
  const text = data[TOKENS_KEY];
  if (text === undefined) return new TokenRegistry();
  try {
    return new TokenRegistry(JSON.parse(text) as readonly TokenRecord[]);
  } catch (cause) {
    throw malformed(`Secret ${TOKENS_SECRET}: ${TOKENS_KEY} is not a list of token records`, {
      next: 'Delete that key to start without tokens.',
      cause,
    });
  }
}

/** Marks in the Secret that a shared token is accepted, for `meshctl check`. */
const SHARED_KEY = 'sharedToken';

/** The Secret's data, with the mark whether the server accepts a token that all clusters share. */
export function withSharedToken(data: SecretData, allowed: boolean): SecretData {
  const { [SHARED_KEY]: _, ...rest } = data;
  return allowed ? { ...rest, [SHARED_KEY]: 'allowed' } : rest;
}

/** Whether the server accepts a token that all clusters share. */
export function takesSharedToken(data: SecretData): boolean {
  return data[SHARED_KEY] === 'allowed';
}

/** The Secret's data with this registry in it. */
export function withTokenBook(data: SecretData, book: TokenRegistry): SecretData {
  return { ...data, [TOKENS_KEY]: JSON.stringify(book.records) };
}
