/**
 * Redis connection settings from configuration, files and a Secret. They are read for every connection, so renewed
 * credentials need no restart.
 */
import { readFile } from 'node:fs/promises';
import type { SecretData, Secrets } from '@meshrelay/kube';
import type { RedisAddress, RedisConnectionSettings, RedisTls, RedisTopology } from '@meshrelay/store';
import type { RedisConfig } from '../config/store-config.ts';

/** @throws Error naming the file or the Secret that cannot be read */
export async function redisSettings(
  config: RedisConfig,
  secrets: Pick<Secrets, 'read'>,
): Promise<RedisConnectionSettings> {
  const { database, connectTimeout, commandTimeout } = config;
  const secret = await secretOf(config, secrets);
  const username = config.username ?? secret['username'];
  const password = (await contentOf('store.redis.passwordFile', config.passwordFile)) ?? secret['password'];
  const tls = await tlsOf(config, secret);
  return {
    topology: await topologyOf(config, secret),
    database,
    connectTimeout,
    commandTimeout,
    ...(username === undefined ? {} : { username }),
    ...(password === undefined ? {} : { password }),
    ...(tls === undefined ? {} : { tls }),
  };
}

async function secretOf({ secretName }: RedisConfig, secrets: Pick<Secrets, 'read'>): Promise<SecretData> {
  if (secretName === undefined) return {};
  const secret = await secrets.read(secretName);
  if (secret === undefined) throw new Error(`store.redis.secretName: Secret ${secretName} does not exist; create it`);
  return secret.data;
}

async function topologyOf(config: RedisConfig, secret: SecretData): Promise<RedisTopology> {
  const addresses = config.addresses.map(addressOf);
  const [address] = addresses;
  if (config.mode === 'cluster') return { mode: 'cluster', nodes: addresses };
  if (config.mode === 'standalone' && address !== undefined) return { mode: 'standalone', address };
  const file = await contentOf('store.redis.sentinelPasswordFile', config.sentinelPasswordFile);
  const sentinelPassword = file ?? secret['sentinel-password'];
  return {
    mode: 'sentinel',
    sentinels: addresses,
    master: config.master ?? '',
    sentinelTls: config.tls !== undefined,
    ...(config.sentinelUsername === undefined ? {} : { sentinelUsername: config.sentinelUsername }),
    ...(sentinelPassword === undefined ? {} : { sentinelPassword }),
  };
}

async function tlsOf({ tls }: RedisConfig, secret: SecretData): Promise<RedisTls | undefined> {
  if (tls === undefined) return undefined;
  const ca = (await contentOf('store.redis.tls.caFile', tls.caFile)) ?? secret['ca.crt'];
  const cert = (await contentOf('store.redis.tls.certFile', tls.certFile)) ?? secret['tls.crt'];
  const key = (await contentOf('store.redis.tls.keyFile', tls.keyFile)) ?? secret['tls.key'];
  return {
    ...(ca === undefined ? {} : { ca }),
    ...(cert === undefined ? {} : { cert }),
    ...(key === undefined ? {} : { key }),
    ...(tls.servername === undefined ? {} : { servername: tls.servername }),
  };
}

function addressOf(text: string): RedisAddress {
  const colon = text.lastIndexOf(':');
  return { host: text.slice(0, colon).replace(/^\[|\]$/g, ''), port: Number(text.slice(colon + 1)) };
}

/** Without the trailing newline that editors add. */
async function contentOf(field: string, path: string | undefined): Promise<string | undefined> {
  if (path === undefined) return undefined;
  try {
    return (await readFile(path, 'utf8')).replace(/\r?\n$/, '');
  } catch (cause) {
    throw new Error(`${field}: ${(cause as Error).message}`, { cause });
  }
}
