/** A real Redis for tests: found or fetched, started on loopback, with injected faults. */
export { type RedisReply, redisCommand } from './command.ts';
export { fetchedRedis, type RedisProgram, redisProgram } from './program.ts';
export { type RedisOptions, type RedisServer, startRedis } from './server.ts';
