/** The Redis store fulfils the contract of snapshot stores. */
import { randomUUID } from 'node:crypto';
import { test } from '@meshrelay/testing';
import { redisProgram, startRedis } from '@meshrelay/testing/redis';
import { contract } from '../contract.ts';
import { storeOn } from './support.ts';

const program = await redisProgram();

if (program !== undefined) {
  const redis = await startRedis(program);
  test.after(async () => await redis[Symbol.asyncDispose]());
  contract('redis', { create: async () => (await storeOn(redis, { prefix: randomUUID() })).store });
}

test.run();
